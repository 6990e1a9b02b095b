package dev.ingest.postgres;

/** Questions to the catalog about a target. They run with nothing but pg_catalog on the path. */
final class CatalogStatements {
  private CatalogStatements() {}

  /**
   * Finds the table by its name as the session's own path has it, null where there is none. Bind:
   * name.
   */
  static final String RESOLVE_TABLE = "SELECT to_regclass(?)::oid::bigint";

  /** From here on names in answers are qualified. */
  static final String QUALIFY_NAMES = "SET LOCAL search_path = pg_catalog";

  /**
   * The table itself, and for which commands policies of row-level security may hide rows from our
   * role: where one restricts, or none shows all. Bind: oid, twice.
   */
  static final String TABLE =
      """
      WITH policy AS (
        SELECT polpermissive, polcmd::text AS command, pg_get_expr(polqual, polrelid) AS shown
        FROM pg_policy
        WHERE polrelid = ?::oid
          AND (0 = ANY (polroles)
               OR EXISTS (SELECT FROM unnest(polroles) AS r WHERE pg_has_role(r, 'USAGE')))
      )
      SELECT format('%I.%I', n.nspname, c.relname), c.relkind, current_user,
             has_table_privilege(c.oid, 'DELETE'),
             ARRAY(SELECT v.name
                   FROM (VALUES ('SELECT', 'r'), ('UPDATE', 'w'), ('DELETE', 'd')) AS v (name, command)
                   WHERE row_security_active(c.oid)
                     AND (NOT EXISTS (SELECT FROM policy AS p
                                      WHERE p.polpermissive AND p.command IN ('*', v.command)
                                        AND p.shown = 'true')
                          OR EXISTS (SELECT FROM policy AS p
                                     WHERE NOT p.polpermissive AND p.command IN ('*', v.command)
                                       AND p.shown <> 'true')))
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.oid = ?::oid
      """;

  /**
   * Its columns in order; a domain is followed down to what it is based on, also that of an array's
   * elements. The sequence of an identity column is its default. Last comes a field, of the row
   * type that it is made of, that would be cut or rounded; null where there is none. Bind: oid,
   * twice.
   */
  static final String COLUMNS =
      """
      WITH RECURSIVE step AS (
        SELECT a.attnum, 0 AS depth, t.oid AS type, a.atttypmod AS modifier,
               t.typtype, t.typbasetype, t.typtypmod, t.typnotnull, t.typdefaultbin
        FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
        WHERE a.attrelid = ?::oid AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL
        SELECT s.attnum, s.depth + 1, t.oid, s.typtypmod,
               t.typtype, t.typbasetype, t.typtypmod, t.typnotnull, t.typdefaultbin
        FROM step AS s JOIN pg_type AS t ON s.typtype = 'd' AND t.oid = s.typbasetype
      ), base AS (
        SELECT s.attnum, s.type, coalesce(e.modifier, s.modifier) AS modifier,
               coalesce(e.type, 0) AS element
        FROM step AS s JOIN pg_type AS t ON t.oid = s.type
        LEFT JOIN LATERAL (
          WITH RECURSIVE part AS (
            SELECT p.oid AS type, s.modifier, p.typtype, p.typbasetype, p.typtypmod
            FROM pg_type AS p WHERE p.oid = t.typelem
            UNION ALL
            SELECT p.oid, part.typtypmod, p.typtype, p.typbasetype, p.typtypmod
            FROM part JOIN pg_type AS p ON part.typtype = 'd' AND p.oid = part.typbasetype
          )
          SELECT type, modifier FROM part WHERE typtype <> 'd'
        ) AS e ON t.typcategory = 'A'
        WHERE s.typtype <> 'd'
      ), outermost AS (
        SELECT attnum, pg_get_expr(typdefaultbin, 0) AS type_default FROM step WHERE depth = 0
      )
      SELECT a.attname, format_type(a.atttypid, -1), format_type(a.atttypid, a.atttypmod),
             b.type::bigint, b.modifier, b.element::bigint,
             a.attnotnull OR (SELECT bool_or(typnotnull) FROM step WHERE step.attnum = a.attnum),
             a.attidentity, a.attgenerated,
             CASE WHEN a.attgenerated <> '' THEN NULL
                  WHEN a.attidentity <> '' THEN
                    format('nextval(%L::pg_catalog.regclass)',
                      pg_get_serial_sequence(a.attrelid::regclass::text, a.attname))
                  ELSE coalesce(pg_get_expr(d.adbin, d.adrelid), o.type_default) END,
             has_column_privilege(a.attrelid, a.attnum, 'INSERT'),
             has_column_privilege(a.attrelid, a.attnum, 'SELECT'),
             has_column_privilege(a.attrelid, a.attnum, 'UPDATE'),
             coalesce((SELECT n.collisdeterministic FROM pg_collation AS n
                       WHERE n.oid = a.attcollation), true),
             (WITH RECURSIVE field AS (
                SELECT b.type, b.modifier, ''::text COLLATE "C" AS path
                UNION ALL
                SELECT p.type, p.modifier, p.path COLLATE "C"
                FROM field AS f JOIN pg_type AS t ON t.oid = f.type
                CROSS JOIN LATERAL (
                  SELECT m.atttypid, m.atttypmod, f.path || '.' || m.attname::text
                  FROM pg_attribute AS m
                  WHERE t.typtype = 'c' AND m.attrelid = t.typrelid
                    AND m.attnum > 0 AND NOT m.attisdropped
                  UNION ALL
                  SELECT t.typbasetype, t.typtypmod, f.path WHERE t.typtype = 'd'
                  UNION ALL
                  SELECT t.typelem, f.modifier, f.path WHERE t.typcategory = 'A'
                ) AS p (type, modifier, path)
              )
              SELECT format('%s %s', substr(path, 2), format_type(type, modifier))
              FROM field
              WHERE path <> ''
                AND (type IN ('"char"'::regtype, 'name'::regtype, 'money'::regtype)
                     OR modifier >= 0 AND type IN ('bpchar'::regtype, 'varchar'::regtype,
                          'numeric'::regtype, 'interval'::regtype)
                     OR modifier BETWEEN 0 AND 5 AND type IN ('timestamptz'::regtype,
                          'timestamp'::regtype, 'time'::regtype, 'timetz'::regtype))
              ORDER BY path COLLATE "C" LIMIT 1)
      FROM pg_attribute AS a
      JOIN base AS b USING (attnum)
      JOIN outermost AS o USING (attnum)
      LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = ?::oid AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum
      """;

  /** Each unique index that ON CONFLICT can use, and its key columns. Bind: oid. */
  static final String UNIQUE_INDEXES =
      """
      SELECT i.indexrelid,
             ARRAY(SELECT a.attname::text
                   FROM unnest(i.indkey) WITH ORDINALITY AS k (attnum, position)
                   JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                   WHERE k.position <= i.indnkeyatts
                   ORDER BY k.position)
      FROM pg_index AS i
      WHERE i.indrelid = ?::oid AND i.indisunique AND i.indimmediate AND i.indisvalid
        AND i.indpred IS NULL AND i.indexprs IS NULL
      ORDER BY i.indexrelid
      """;

  /**
   * Partitions of all levels. Read from the catalog, since {@code pg_partition_tree} waits for the
   * locks of each. Bind: oid or name.
   */
  private static final String PARTITIONS =
      """
      WITH RECURSIVE part (oid) AS (
        SELECT i.inhrelid FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = ?::regclass AND c.relispartition AND NOT i.inhdetachpending
        UNION ALL
        SELECT i.inhrelid FROM part JOIN pg_inherits AS i ON i.inhparent = part.oid
        WHERE NOT i.inhdetachpending
      )
      """;

  /** Partitions that hold rows, qualified; none for a table in one piece. Bind: oid. */
  static final String LEAVES =
      PARTITIONS
          + """
            SELECT format('%I.%I', n.nspname, c.relname)
            FROM part JOIN pg_class AS c USING (oid) JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE c.relkind <> 'p'
            ORDER BY 1
            """;

  /**
   * Locks that one writing transaction may hold beside its advisory locks: the table, its
   * partitions, their indexes, TOAST tables and those' indexes, what foreign keys refer to, and
   * transaction ids. Where it deletes rows, the same of the tables that refer to it, and of those
   * that refer to what goes with its rows. Binds: table, twice; whether it deletes.
   */
  static final String RELATIONS =
      PARTITIONS
          + """
            , whole (oid) AS (SELECT oid FROM part UNION ALL SELECT ?::regclass),
            refers (oid, on_delete) AS (
              SELECT conrelid, confdeltype FROM pg_constraint
              WHERE ?::boolean AND contype = 'f' AND confrelid IN (SELECT oid FROM whole)
              UNION
              SELECT f.conrelid, f.confdeltype
              FROM refers JOIN pg_constraint AS f ON f.contype = 'f' AND f.confrelid = refers.oid
              WHERE refers.on_delete = 'c'
            )
            SELECT sum(1
                       + (SELECT count(*) FROM pg_index WHERE indrelid = c.oid)
                       + CASE WHEN c.reltoastrelid = 0 THEN 0 ELSE 2 END
                       + CASE WHEN c.relispartition THEN 0 ELSE
                           (SELECT 2 * count(*) FROM pg_constraint
                            WHERE conrelid = c.oid AND contype = 'f') END)
                   + 2
            FROM (SELECT oid FROM whole UNION SELECT oid FROM refers) AS r
            JOIN pg_class AS c USING (oid)
            """;

  /**
   * The first column by whose ranges the table is divided; no row where there is none. Bind: oid.
   */
  static final String RANGE_COLUMN =
      """
      SELECT a.attname
      FROM pg_partitioned_table AS p
      JOIN pg_attribute AS a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
      WHERE p.partrelid = ?::oid AND p.partstrat = 'r'
      """;

  /**
   * B-trees of the table and of its partitions: columns, and for each the operator of its operator
   * class for "equal", which an index serves whatever the search path, as long as it has the
   * collations of its columns. Bind: oid, twice.
   */
  static final String INDEXES =
      PARTITIONS
          + """
      SELECT format('%I.%I', n.nspname, c.relname),
             ARRAY(SELECT a.attname::text
                   FROM unnest(i.indkey) WITH ORDINALITY AS k (attnum, position)
                   JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                   WHERE k.position <= i.indnkeyatts
                   ORDER BY k.position),
             ARRAY(SELECT format('OPERATOR(%I.%s)', opn.nspname, op.oprname)
                   FROM unnest(i.indclass) WITH ORDINALITY AS k (opclass, position)
                   JOIN pg_opclass AS oc ON oc.oid = k.opclass
                   JOIN pg_amop AS am ON am.amopfamily = oc.opcfamily AND am.amopstrategy = 3
                     AND am.amoplefttype = oc.opcintype AND am.amoprighttype = oc.opcintype
                   JOIN pg_operator AS op ON op.oid = am.amopopr
                   JOIN pg_namespace AS opn ON opn.oid = op.oprnamespace
                   ORDER BY k.position)
      FROM pg_index AS i
      JOIN pg_class AS c ON c.oid = i.indrelid
      JOIN pg_namespace AS n ON n.oid = c.relnamespace
      JOIN pg_class AS x ON x.oid = i.indexrelid
      JOIN pg_am AS m ON m.oid = x.relam AND m.amname = 'btree'
      WHERE i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
        AND NOT EXISTS (SELECT
                        FROM unnest(i.indkey, i.indcollation)
                          WITH ORDINALITY AS k (attnum, coll, position)
                        JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                        WHERE k.position <= i.indnkeyatts AND k.coll <> a.attcollation)
        AND (i.indrelid = ?::oid OR i.indrelid IN (SELECT oid FROM part))
      ORDER BY i.indexrelid
      """;
}
