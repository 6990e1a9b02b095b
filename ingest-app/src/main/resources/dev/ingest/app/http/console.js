"use strict";

// Charts, and what is said aloud when the state changes. The tables come from the server.
(() => {
  const REFRESH_MS = 2000;
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const count = (value) => (value == null ? "–" : Math.round(value).toLocaleString("en"));

  const line = (label, color, extra) =>
    ({ label, stroke: css(color), width: 2, points: { show: false }, value: (u, v) => count(v), ...extra });

  const clock = (millis, seconds) =>
    new Date(millis).toLocaleTimeString("en-GB", seconds ? {} : { hour: "2-digit", minute: "2-digit" });

  const axis = () => ({
    stroke: css("--soft"),
    grid: { stroke: css("--line"), width: 1 },
    ticks: { stroke: css("--line"), width: 1 },
  });

  const options = (height, title, series) => ({
    width: width(),
    height,
    ms: 1,
    cursor: { sync: { key: "ingest" }, y: false },
    legend: { live: true },
    scales: { y: { range: (u, min, max) => [0, Math.max(10, max * 1.1)] } },
    axes: [
      { ...axis(), space: 80, values: (u, ticks) => ticks.map((t) => clock(t, ticks[1] - ticks[0] < 60000)) },
      { ...axis(), size: 72, values: (u, ticks) => ticks.map(count), label: title, labelSize: 20 },
    ],
    series: [{ label: "time", value: (u, v) => (v == null ? "–" : clock(v, true)) }, ...series],
  });

  const charts = document.getElementById("charts");
  const width = () => Math.max(240, charts.clientWidth - 34);
  let rate;
  let lag;
  let columns = [[], [], [], [], []];

  const draw = () => {
    rate?.destroy();
    lag?.destroy();
    rate = new uPlot(
      options(220, "events/s", [
        line("inserted", "--inserted"),
        line("duplicates", "--duplicates", { dash: [8, 4] }),
        line("parked and skipped", "--aside", { dash: [2, 3] }),
      ]),
      columns.slice(0, 4),
      document.getElementById("rate"),
    );
    lag = new uPlot(
      options(140, "lag", [line("lag", "--lag")]),
      [columns[0], columns[4]],
      document.getElementById("lag"),
    );
  };

  // Without a pointer over the chart its legend shows the latest values.
  const showLatest = () => {
    for (const chart of [rate, lag]) {
      if (!(chart.cursor.left >= 0)) chart.setLegend({ idx: columns[0].length - 1 }, false);
    }
  };

  const refresh = async () => {
    try {
      columns = await (await fetch("/console/rates")).json();
      rate.setData(columns.slice(0, 4));
      lag.setData([columns[0], columns[4]]);
      showLatest();
    } catch {
      // The page says that the process is away: see connection().
    }
  };

  const connection = (lost) => {
    document.body.classList.toggle("cut", lost);
    if (lost) say("No answer from the process; what is shown is old.", true);
  };

  let said = "";
  const say = (text, show) => {
    if (text === said) return;
    said = text;
    document.getElementById("announcement").textContent = text;
    if (show) {
      const banner = document.getElementById("banner");
      banner.className = "banner bad";
      banner.textContent = text;
    }
  };

  document.body.addEventListener("htmx:sendError", () => connection(true));
  document.body.addEventListener("htmx:responseError", () => connection(true));
  document.body.addEventListener("htmx:afterSwap", () => {
    connection(false);
    say(document.querySelector("#banner .mark")?.textContent.trim() ?? "", false);
  });

  charts.hidden = false;
  draw();
  refresh();
  setInterval(refresh, REFRESH_MS);
  new ResizeObserver(() => {
    rate.setSize({ width: width(), height: 220 });
    lag.setSize({ width: width(), height: 140 });
  }).observe(charts);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
