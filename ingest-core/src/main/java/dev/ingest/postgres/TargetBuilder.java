package dev.ingest.postgres;

import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.ColumnSource;
import dev.ingest.mapping.ColumnSource.Plain;
import dev.ingest.mapping.ColumnType.Kind;
import dev.ingest.mapping.Fields.State;
import dev.ingest.mapping.JsonFields;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TextRule;
import dev.ingest.mapping.WriteRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes the insert of a mapping for a table as the catalog has it. The mapping has been checked
 * with {@link MappingRules} before. Used once.
 */
final class TargetBuilder {
  private final TargetMapping mapping;
  private final CatalogTable table;
  private final JsonFields fields = new JsonFields();
  private final List<RowArray> arrays = new ArrayList<>();
  private final List<String> columns = new ArrayList<>();
  private final List<String> expressions = new ArrayList<>();

  /** What fills a column where the event says something of it, by the column's name. */
  private final Map<String, String> values = new HashMap<>();

  private int defaults;

  private TargetBuilder(TargetMapping mapping, CatalogTable table) {
    this.mapping = mapping;
    this.table = table;
  }

  static TargetTable build(TargetMapping mapping, CatalogTable table) {
    TargetBuilder builder = new TargetBuilder(mapping, table);
    mapping.columns().forEach(builder::add);
    return builder.finish();
  }

  /** How rows are found again by their key alone: no other column is filled. */
  static TargetLookup.Plan lookup(TargetMapping mapping, CatalogTable table) {
    TargetBuilder builder = new TargetBuilder(mapping.with(WriteRules.DEFAULT), table);
    mapping.columns().stream()
        .filter(each -> mapping.keyColumns().contains(each.column()))
        .forEach(builder::add);
    return builder.lookup();
  }

  private TargetLookup.Plan lookup() {
    String missing =
        Statements.MISSING_ROWS.formatted(
            RowArray.parameters(arrays, masks()),
            RowArray.names(arrays, masks()),
            unlessFound(this::asStored, null));
    return new TargetLookup.Plan(finish(), missing);
  }

  /** As the column holds it, with its length and precision. */
  private String asStored(String key) {
    return "(%s)::%s".formatted(values.get(key), table.column(key).orElseThrow().type().fullName());
  }

  private void add(ColumnMapping each) {
    CatalogColumn column = table.column(each.column()).orElseThrow();
    columns.add(Sql.identifier(column.name()));
    if (each.source() == Plain.NOW) {
      add(column, "now()", "now()");
    } else if (each.source() instanceof ColumnSource.Constant constant) {
      String text = rule(each, column).apply(State.STRING, constant.text());
      String literal = cast(Sql.literal(text), column);
      add(column, literal, literal);
    } else {
      addArray(each, column);
    }
  }

  private void add(CatalogColumn column, String value, String expression) {
    values.put(column.name(), value);
    expressions.add(expression);
  }

  private static TextRule rule(ColumnMapping each, CatalogColumn column) {
    return TextRule.of(column.type().rule(), each.form());
  }

  private void addArray(ColumnMapping each, CatalogColumn column) {
    String element = "r.c" + arrays.size();
    boolean mayBeAbsent =
        each.source() instanceof ColumnSource.Json || each.source() instanceof ColumnSource.Header;
    boolean hasDefault = mayBeAbsent && column.defaultSql() != null;
    String value = expression(each.source(), element, column);
    add(column, value, hasDefault ? orDefault(value, column) : value);
    arrays.add(
        new RowArray(
            column.name(),
            elementType(each.source(), column),
            inputType(each.source(), column),
            mapping.keyColumns().contains(column.name()) || column.equals(windowColumn()),
            hasDefault ? defaults++ : RowArray.NO_DEFAULT,
            value(each, column)));
  }

  private RowValue value(ColumnMapping each, CatalogColumn column) {
    TextRule rule = rule(each, column);
    if (KeyTexts.matter(mapping, table) && mapping.keyColumns().contains(column.name())) {
      rule = KeyTexts.shown(column.type().rule(), rule);
    }
    if (each.source() instanceof ColumnSource.Json json) {
      boolean asJson = column.type().rule().kind() == Kind.JSON;
      return RowValues.json(fields.add(json.pointer(), asJson), rule);
    }
    if (each.source() instanceof ColumnSource.Header header) {
      return RowValues.header(header.name(), rule);
    }
    return RowValues.plain((Plain) each.source(), rule, column.type().rule().kind());
  }

  private static boolean isWholeValue(ColumnSource source) {
    return source == Plain.PAYLOAD || source == Plain.TEXT || source == Plain.BYTES;
  }

  private static boolean isBytes(CatalogColumn column) {
    return column.type().rule().kind() == Kind.BYTES;
  }

  private static String elementType(ColumnSource source, CatalogColumn column) {
    if (source == Plain.PARTITION) {
      return "int4";
    }
    if (source == Plain.OFFSET || source == Plain.TIMESTAMP) {
      return "int8";
    }
    return isWholeValue(source) && isBytes(column) ? "bytea" : "text";
  }

  private static @Nullable String inputType(ColumnSource source, CatalogColumn column) {
    boolean text = elementType(source, column).equals("text");
    return text && column.type().rule().kind() != Kind.TEXT ? column.type().fullName() : null;
  }

  private static String expression(ColumnSource source, String element, CatalogColumn column) {
    if (source == Plain.PARTITION || source == Plain.OFFSET) {
      return element;
    }
    if (source == Plain.TIMESTAMP) {
      return Sql.timeOfMillis(element);
    }
    return cast(element, column);
  }

  private static String cast(String value, CatalogColumn column) {
    return value + "::" + column.type().castName();
  }

  private String orDefault(String expression, CatalogColumn column) {
    return "CASE WHEN r.m%d & %d <> 0 THEN (%s)::%s ELSE %s END"
        .formatted(
            defaults / TargetTable.MASK_BITS,
            1L << defaults % TargetTable.MASK_BITS,
            Sql.withoutPlaceholders(String.valueOf(column.defaultSql())),
            column.type().castName(),
            expression);
  }

  private TargetTable finish() {
    String arrayParameters = RowArray.parameters(arrays, masks());
    String arrayNames = RowArray.names(arrays, masks());
    String source = Statements.ROWS.formatted(arrayParameters, arrayNames);
    List<String> alone = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      alone.add(insert(columns.get(i), expressions.get(i), source));
    }
    Probe probe = probe();
    return new TargetTable(
        table.name(),
        fields,
        arrays,
        masks(),
        alone,
        insertFrom(source, probe),
        tellingInsert(arrayParameters, arrayNames, probe),
        mapping.rules(),
        probe,
        removal(Statements.ROWS_WITH_PLACES.formatted(arrayParameters, arrayNames)));
  }

  private int masks() {
    return (defaults + TargetTable.MASK_BITS - 1) / TargetTable.MASK_BITS;
  }

  private String insertFrom(String source, @Nullable Probe probe) {
    return insert(String.join(", ", columns), String.join(", ", expressions), source)
        + unlessFound(probe)
        + unlessThere();
  }

  private String tellingInsert(String arrayParameters, String arrayNames, @Nullable Probe probe) {
    List<String> returned = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<String> inserted = new ArrayList<>();
    for (String key : mapping.keyColumns()) {
      String name = "k" + names.size();
      String column = Sql.identifier(key);
      String expression = expressions.get(columns.indexOf(column));
      names.add(name);
      returned.add(column + " AS " + name);
      // As the column holds it, with its length and precision.
      String type = table.column(key).orElseThrow().type().fullName();
      inserted.add("(%s)::%s AS %s".formatted(expression, type, name));
    }
    return Statements.TELLING_INSERT.formatted(
        arrayParameters,
        arrayNames,
        insertFrom("r", probe),
        String.join(", ", returned),
        String.join(", ", names),
        String.join(", ", inserted));
  }

  private boolean isUnique() {
    return table.isUnique(mapping.keyColumns());
  }

  private String unlessThere() {
    return isUnique()
        ? Statements.UNLESS_THERE.formatted(Sql.identifiers(mapping.keyColumns()))
        : "";
  }

  private @Nullable CatalogColumn windowColumn() {
    String column = table.partitions().rangeColumn();
    if (column == null || mapping.rules().window() == null || isUnique()) {
      return null;
    }
    return table.column(column).orElse(null);
  }

  private @Nullable Probe probe() {
    if (isUnique() && !MappingRules.prefilters(mapping, table)) {
      return null;
    }
    CatalogColumn column = windowColumn();
    Duration length = mapping.rules().window();
    if (column == null || length == null) {
      return new Probe(isUnique(), null);
    }
    int array = arrays.stream().map(RowArray::column).toList().indexOf(column.name());
    return new Probe(isUnique(), new ProbeWindow(column, array, length));
  }

  private String unlessFound(@Nullable Probe probe) {
    return probe == null ? "" : unlessFound(this::value, probe.window());
  }

  /**
   * @param value what a row has in a key column
   */
  private String unlessFound(UnaryOperator<String> value, @Nullable ProbeWindow window) {
    List<String> conditions = sameKey(value);
    if (window != null) {
      conditions.add(window.sql(String.valueOf(values.get(window.column().name()))));
    }
    return Statements.UNLESS_FOUND.formatted(table.name(), String.join(" AND ", conditions));
  }

  /** The row {@code t} is one of the key in {@code r}: conditions that an index serves. */
  private List<String> sameKey(UnaryOperator<String> value) {
    List<String> conditions = new ArrayList<>();
    Optional<CatalogTable.Index> index = table.indexOn(mapping.keyColumns());
    for (String key : mapping.keyColumns()) {
      String equal = index.map(each -> each.equal(key)).orElse("=");
      conditions.add("t.%s %s %s".formatted(Sql.identifier(key), equal, value.apply(key)));
    }
    return conditions;
  }

  private String value(String column) {
    return String.valueOf(values.get(column));
  }

  private @Nullable Removal removal(String source) {
    String condition = String.join(" AND ", sameKey(this::value));
    return new RemovalBuilder(mapping, table, arrays, condition)
        .build(columns, expressions, source);
  }

  private String insert(String into, String values, String source) {
    return Statements.INSERT_ROWS.formatted(table.name(), into, values, source);
  }
}
