package dev.ingest.app.format;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * Decodes values by the Avro schema they were written with. A union gives the value of its branch;
 * what JSON lacks becomes text: see {@link AvroLogical}. Immutable.
 */
final class AvroDecoder implements Decoder {
  /** Writes one value of one schema. */
  @FunctionalInterface
  interface Node {
    void write(AvroInput in, JsonGenerator json, int depth) throws IOException;
  }

  private final Node root;

  AvroDecoder(Schema schema) {
    this.root = new Compiler().node(schema);
  }

  @Override
  public void decode(byte[] bytes, int from, JsonGenerator into) throws IOException {
    AvroInput in = new AvroInput(bytes, from);
    root.write(in, into, 1);
    if (!in.isAtEnd()) {
      throw AvroInput.unreadable("it goes on after its end");
    }
  }

  private record Field(String name, Node node) {}

  /** Fields are filled in after the record is made, since a record may hold itself. */
  private record RecordNode(List<Field> fields) implements Node {
    @Override
    public void write(AvroInput in, JsonGenerator json, int depth) throws IOException {
      Documents.checkDepth(depth);
      json.writeStartObject();
      for (Field field : fields) {
        json.writeFieldName(field.name());
        field.node().write(in, json, depth + 1);
      }
      json.writeEndObject();
    }
  }

  /** Used once. */
  private static final class Compiler {
    private final Map<Schema, Node> records = new IdentityHashMap<>();

    Node node(Schema schema) {
      Node logical = AvroLogical.node(schema);
      return logical == null ? plain(schema) : logical;
    }

    private Node plain(Schema schema) {
      return switch (schema.getType()) {
        case NULL -> (in, json, depth) -> json.writeNull();
        case BOOLEAN -> (in, json, depth) -> json.writeBoolean(in.readBoolean());
        case INT -> (in, json, depth) -> json.writeNumber(in.readInt());
        case LONG -> (in, json, depth) -> json.writeNumber(in.readLong());
        case FLOAT -> (in, json, depth) -> json.writeNumber(in.readFloat());
        case DOUBLE -> (in, json, depth) -> json.writeNumber(in.readDouble());
        case STRING -> (in, json, depth) -> json.writeString(in.readString());
        case BYTES -> (in, json, depth) -> Documents.base64(in.readBytes(), json);
        case FIXED -> fixed(schema.getFixedSize());
        case ENUM -> symbols(List.copyOf(schema.getEnumSymbols()));
        case UNION -> union(schema);
        case ARRAY -> array(node(schema.getElementType()));
        case MAP -> map(node(schema.getValueType()));
        case RECORD -> recordOf(schema);
      };
    }

    private static Node fixed(int size) {
      return (in, json, depth) -> Documents.base64(in.readFixed(size), json);
    }

    private static Node symbols(List<String> symbols) {
      return (in, json, depth) -> json.writeString(pick(symbols, in.readInt()));
    }

    private Node union(Schema schema) {
      List<Node> branches = new ArrayList<>();
      schema.getTypes().forEach(branch -> branches.add(node(branch)));
      return (in, json, depth) -> pick(branches, in.readInt()).write(in, json, depth);
    }

    private static <T> T pick(List<T> choices, int index) {
      if (index < 0 || index >= choices.size()) {
        throw AvroInput.unreadable("it chooses a branch or symbol that there is none of");
      }
      return choices.get(index);
    }

    private static Node array(Node element) {
      return (in, json, depth) -> {
        Documents.checkDepth(depth);
        json.writeStartArray();
        for (long left = in.readBlock(); left != 0; left = in.readBlock()) {
          for (; left > 0; left--) {
            element.write(in, json, depth + 1);
          }
        }
        json.writeEndArray();
      };
    }

    private static Node map(Node value) {
      return (in, json, depth) -> {
        Documents.checkDepth(depth);
        Set<String> keys = new HashSet<>();
        json.writeStartObject();
        for (long left = in.readBlock(); left != 0; left = in.readBlock()) {
          for (; left > 0; left--) {
            String key = in.readString();
            if (!keys.add(key)) {
              throw AvroInput.unreadable("it has a map with a key twice");
            }
            json.writeFieldName(key);
            value.write(in, json, depth + 1);
          }
        }
        json.writeEndObject();
      };
    }

    private Node recordOf(Schema schema) {
      Node known = records.get(schema);
      if (known != null) {
        return known;
      }
      List<Field> fields = new ArrayList<>();
      RecordNode made = new RecordNode(fields);
      records.put(schema, made);
      schema
          .getFields()
          .forEach(field -> fields.add(new Field(field.name(), node(field.schema()))));
      return made;
    }
  }

  /** A number of as many bytes as it likes; what no numeric could hold is refused. */
  static BigInteger unscaled(byte[] bytes) {
    if (bytes.length == 0 || bytes.length > 1 << 16) {
      throw AvroInput.unreadable("it has a decimal of " + bytes.length + " bytes");
    }
    return new BigInteger(bytes);
  }
}
