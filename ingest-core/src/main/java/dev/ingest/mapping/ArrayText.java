package dev.ingest.mapping;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.ingest.mapping.Fields.State;
import java.io.IOException;
import java.util.Objects;

/**
 * JSON arrays as array literals: null becomes NULL, nested arrays become dimensions. A text that is
 * no JSON array is left to the server, which takes {@code {1,2}}.
 */
final class ArrayText {
  private static final JsonFactory JSON = JsonFields.JSON;

  private ArrayText() {}

  static TextRule of(ColumnType type, ValueForm form) {
    ColumnType element = Objects.requireNonNull(type.element());
    boolean json = element.kind() == ColumnType.Kind.JSON;
    TextRule rule = TextRule.of(element, form);
    return (state, text) ->
        state == State.STRUCTURE && text.startsWith("[") ? literal(text, rule, json) : text;
  }

  private static String literal(String array, TextRule rule, boolean json) {
    StringBuilder literal = new StringBuilder(array.length() + 16);
    try (JsonParser parser = JSON.createParser(array)) {
      parser.nextToken();
      elements(parser, array, rule, json, literal);
    } catch (IOException impossible) {
      throw new UnfitValueException("22P02", "the payload is not readable as JSON");
    }
    return literal.toString();
  }

  private static void elements(
      JsonParser parser, String array, TextRule rule, boolean json, StringBuilder into)
      throws IOException {
    into.append('{');
    boolean first = true;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      into.append(first ? "" : ",");
      first = false;
      JsonToken token = parser.currentToken();
      if (token == JsonToken.VALUE_NULL) {
        into.append("NULL");
      } else if (token == JsonToken.START_ARRAY && !json) {
        int before = into.length();
        elements(parser, array, rule, false, into);
        refuseEmpty(into, before);
      } else {
        quote(element(parser, array, rule, json), into);
      }
    }
    into.append('}');
  }

  /** PostgreSQL keeps no empty dimension: {@code {{}}} would come back as {@code {}}. */
  private static void refuseEmpty(StringBuilder literal, int from) {
    if (literal.length() - from == 2) {
      throw new UnfitValueException("2202E", "array holds an empty array, which its type can't");
    }
  }

  private static String element(JsonParser parser, String array, TextRule rule, boolean json)
      throws IOException {
    JsonToken token = parser.currentToken();
    if (token.isStructStart() || (json && token == JsonToken.VALUE_STRING)) {
      int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
      parser.skipChildren();
      parser.finishToken();
      int end = Math.toIntExact(parser.currentLocation().getCharOffset());
      return array.substring(start, end);
    }
    String text = parser.getText();
    return token == JsonToken.VALUE_STRING
        ? rule.apply(State.STRING, Texts.storable(text))
        : rule.apply(token.isNumeric() ? State.NUMBER : State.BOOLEAN, text);
  }

  private static void quote(String element, StringBuilder into) {
    into.append('"');
    for (int i = 0; i < element.length(); i++) {
      char c = element.charAt(i);
      if (c == '"' || c == '\\') {
        into.append('\\');
      }
      into.append(c);
    }
    into.append('"');
  }
}
