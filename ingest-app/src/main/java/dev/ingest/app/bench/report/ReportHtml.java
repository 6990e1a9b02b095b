package dev.ingest.app.bench.report;

import java.util.List;
import java.util.Map;

/** The report as one page that needs no other file and no network. */
public final class ReportHtml {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1b2430; --faint: #6b7684; --line: #d7dce2; --paper: #fff;
              --c0: #2563a8; --c1: #c2571a; --c2: #2f8f5b; --c3: #8a4fae; --c4: #b0343f; --c5: #7a6a1d; --c6: #1d8a91; --c7: #68707a; }
      @media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --faint: #98a3b0; --line: #39424d; --paper: #161b21; } }
      body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
      .wide { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .86rem }
      th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: bottom }
      .word { text-align: left; white-space: nowrap } dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; font-size: .86rem }
      dt { color: var(--faint) } dd { margin: 0; overflow-wrap: anywhere } svg { max-width: 100%; height: auto; display: block }
      svg text { fill: var(--ink); font: 12px system-ui, sans-serif } svg .faint { fill: var(--faint) } svg .rule { stroke: var(--line) }
      figure { margin: 1rem 0 2rem }
      """;

  private ReportHtml() {}

  public static String write(Report report) {
    StringBuilder page = new StringBuilder(1 << 16);
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width\">\n<title>ingest bench ");
    page.append(escape(report.scenario())).append("</title>\n<style>\n").append(STYLE);
    page.append("</style>\n</head>\n<body>\n<h1>ingest bench ").append(escape(report.scenario()));
    page.append("</h1>\n<p>").append(escape(report.question())).append("</p>\n");
    for (Chart chart : report.charts()) {
      page.append("<figure><figcaption><h2>").append(escape(chart.title()));
      page.append("</h2></figcaption>\n").append(Svg.of(report, chart)).append("</figure>\n");
    }
    page.append("<h2>Medians</h2>\n");
    table(page, Grid.of(report));
    report.notes().forEach(each -> page.append("<p>").append(escape(each)).append("</p>\n"));
    page.append("<h2>Settings</h2>\n");
    list(page, report.settings());
    page.append("<h2>Environment</h2>\n");
    list(page, report.environment());
    page.append("<h2>Every run</h2>\n");
    table(page, runs(report));
    return page.append("</body>\n</html>\n").toString();
  }

  private static Grid runs(Report report) {
    List<List<String>> rows = new java.util.ArrayList<>();
    List<String> heads = new java.util.ArrayList<>(List.of("load", "contestant", "round"));
    report.metrics().forEach(each -> heads.add(each.title()));
    rows.add(heads);
    for (Sample sample : report.samples()) {
      List<String> row = new java.util.ArrayList<>();
      row.addAll(List.of(sample.load(), sample.contestant(), Integer.toString(sample.round())));
      report.metrics().forEach(each -> row.add(each.format(sample.value(each.name()))));
      rows.add(row);
    }
    return new Grid(2, rows);
  }

  private static void table(StringBuilder page, Grid grid) {
    page.append("<div class=\"wide\"><table>\n");
    for (int i = 0; i < grid.rows().size(); i++) {
      page.append("<tr>");
      String cell = i == 0 ? "th" : "td";
      List<String> row = grid.rows().get(i);
      for (int column = 0; column < row.size(); column++) {
        page.append('<').append(cell);
        page.append(column < grid.words() ? " class=\"word\">" : ">");
        page.append(escape(row.get(column))).append("</").append(cell).append('>');
      }
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
  }

  private static void list(StringBuilder page, Map<String, String> pairs) {
    page.append("<dl>\n");
    pairs.forEach(
        (name, value) ->
            page.append("<dt>")
                .append(escape(name))
                .append("</dt><dd>")
                .append(escape(value))
                .append("</dd>\n"));
    page.append("</dl>\n");
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
