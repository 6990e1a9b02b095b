package dev.ingest.app.bench.report;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.IntStream;

/** The report for a terminal. */
public final class ReportText {
  private ReportText() {}

  public static void print(Report report, PrintWriter out) {
    Grid grid = Grid.of(report);
    int[] widths = widths(grid.rows());
    out.println();
    for (List<String> row : grid.rows()) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String format = i < grid.words() ? "%-" + widths[i] + "s  " : "%" + widths[i] + "s  ";
        line.append(String.format(format, row.get(i)));
      }
      out.println(line.toString().stripTrailing());
    }
    out.println();
    report.notes().forEach(out::println);
    out.println("Settings: " + pairs(report.settings().entrySet()));
    out.println("Environment: " + pairs(report.environment().entrySet()));
    out.flush();
  }

  private static String pairs(Iterable<? extends java.util.Map.Entry<String, String>> entries) {
    StringBuilder text = new StringBuilder();
    entries.forEach(
        each ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(each.getKey())
                .append('=')
                .append(each.getValue()));
    return text.toString();
  }

  private static int[] widths(List<List<String>> rows) {
    return IntStream.range(0, rows.get(0).size())
        .map(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(1))
        .toArray();
  }
}
