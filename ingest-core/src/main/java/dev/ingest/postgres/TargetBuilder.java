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
import dev.ingest.mapping.WriteRules.Prefilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
            keys(this::asStored).unlessFound(table.name(), null));
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
    String source = Statements.ROWS.formatted(RowArray.unnested(arrays, masks()));
    String withPlaces =
        Statements.ROWS_WITH_PLACES.formatted(
            RowArray.parameters(arrays, masks()), RowArray.names(arrays, masks()));
    List<String> alone = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      alone.add(
          Statements.INSERT_ROWS.formatted(
              table.name(), columns.get(i), expressions.get(i), source));
    }
    Probe probe = probe();
    InsertBuilder inserts =
        new InsertBuilder(mapping, table, columns, expressions, keys(this::value));
    return new TargetTable(
        table.name(),
        fields,
        arrays,
        masks(),
        alone,
        inserts.build(source, withPlaces, probe, isUnique()),
        underLocks(inserts.build(source, withPlaces, Probe.EVERYWHERE, false)),
        mapping.rules(),
        probe,
        removal(withPlaces));
  }

  private int masks() {
    return (defaults + TargetTable.MASK_BITS - 1) / TargetTable.MASK_BITS;
  }

  private boolean isUnique() {
    return table.isUnique(mapping.keyColumns());
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

  /**
   * Looking first is cheaper than to let the unique index find out, unless there are partitions to
   * look into. An index of another collation than its column finds nothing, and where policies hide
   * rows their conditions may come before the index.
   */
  private TargetTable.@Nullable UnderLocks underLocks(InsertSql looking) {
    List<String> keys = mapping.keyColumns();
    return mapping.rules().locked()
            && mapping.rules().prefilter() != Prefilter.OFF
            && !table.isPartitioned()
            && table.indexOn(keys).isPresent()
            && table.hiding(List.of("SELECT")).isEmpty()
        ? table
            .uniqueIndexOn(keys)
            .map(index -> new TargetTable.UnderLocks(looking, index))
            .orElse(null)
        : null;
  }

  /**
   * @param value what a row has in a key column
   */
  private KeyCondition keys(UnaryOperator<String> value) {
    return new KeyCondition(mapping, table, value);
  }

  private String value(String column) {
    return String.valueOf(values.get(column));
  }

  private @Nullable Removal removal(String source) {
    String condition = String.join(" AND ", keys(this::value).same());
    return new RemovalBuilder(mapping, table, arrays, condition)
        .build(columns, expressions, source);
  }
}
