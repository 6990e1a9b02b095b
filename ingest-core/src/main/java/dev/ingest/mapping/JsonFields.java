package dev.ingest.mapping;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.ingest.mapping.Fields.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values at many pointers in one pass over a document, without a tree. Numbers and
 * structures keep the bytes they are written in. Set up once; then thread-safe, with {@link Fields}
 * for each thread.
 */
public final class JsonFields {
  /** PostgreSQL's own limits decide on size and depth, not the parser's. */
  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxNestingDepth(100_000)
          .maxNumberLength(200_000)
          .maxStringLength(Integer.MAX_VALUE)
          .maxNameLength(Integer.MAX_VALUE)
          .build();

  static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(LIMITS)
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .build();

  /** A place in the tree of pointers. */
  private static final class Node {
    private final int id;
    private final Map<String, Node> children = new HashMap<>();
    private final List<Integer> textSlots = new ArrayList<>();
    private final List<Integer> jsonSlots = new ArrayList<>();
    private String place = "";

    Node(int id) {
      this.id = id;
    }

    boolean isWanted() {
      return !textSlots.isEmpty() || !jsonSlots.isEmpty();
    }

    boolean isLeaf() {
      return children.isEmpty();
    }
  }

  private final Node root = new Node(0);
  private int nodes = 1;
  private int slots;

  /**
   * Asks for the value at a pointer, before the first reading.
   *
   * @param asJson whether the JSON text is wanted, with a string's quotes, rather than the value
   * @return the slot to find it in
   */
  public int add(JsonPointer pointer, boolean asJson) {
    Node node = root;
    for (JsonPointer rest = pointer; !rest.matches(); rest = rest.tail()) {
      node = node.children.computeIfAbsent(rest.getMatchingProperty(), name -> new Node(nodes++));
    }
    node.place = pointer.toString();
    (asJson ? node.jsonSlots : node.textSlots).add(slots);
    return slots++;
  }

  /** Whether nothing was asked for. */
  public boolean isEmpty() {
    return slots == 0;
  }

  public Fields newFields() {
    return new Fields(slots, nodes);
  }

  /**
   * Reads a document. Where it is null, every value is absent.
   *
   * @throws UnfitValueException where it is not one JSON document, or names a value twice
   */
  public void read(byte @Nullable [] document, Fields into) {
    into.clear();
    if (document == null) {
      return;
    }
    try (JsonParser parser = JSON.createParser(document)) {
      if (parser.nextToken() == null) {
        throw new UnfitValueException("22P02", "the payload is empty, which is no JSON");
      }
      new Pass(document, parser, into).value(root);
      if (parser.nextToken() != null) {
        throw new UnfitValueException("22P02", "the payload goes on after the JSON document");
      }
    } catch (IOException notJson) {
      throw new UnfitValueException("22P02", "the payload is not readable as JSON");
    }
  }

  /** One document under way. */
  private record Pass(byte[] document, JsonParser parser, Fields into) {

    /** Takes the value at the parser and moves the parser to its last token. */
    void value(Node node) throws IOException {
      if (!into.meet(node.id)) {
        throw new UnfitValueException("22030", "the payload has a field twice" + at(node));
      }
      JsonToken token = parser.currentToken();
      if (token == JsonToken.VALUE_NULL) {
        put(node.textSlots, State.NULL, null);
        put(node.jsonSlots, State.NULL, null);
        return;
      }
      if (!token.isStructStart()) {
        scalar(node, token);
      } else if (node.isWanted()) {
        int start = start();
        structure(node, token);
        String json = jsonFrom(start);
        put(node.textSlots, State.STRUCTURE, json);
        put(node.jsonSlots, State.STRUCTURE, json);
      } else {
        structure(node, token);
      }
    }

    private void structure(Node node, JsonToken token) throws IOException {
      if (node.isLeaf()) {
        parser.skipChildren();
      } else if (token == JsonToken.START_OBJECT) {
        members(node);
      } else {
        elements(node);
      }
    }

    private void members(Node node) throws IOException {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        Node child = node.children.get(parser.currentName());
        parser.nextToken();
        descend(child);
      }
    }

    private void elements(Node node) throws IOException {
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        descend(node.children.get(Integer.toString(i)));
      }
    }

    private void descend(@Nullable Node child) throws IOException {
      if (child == null) {
        parser.skipChildren();
      } else {
        value(child);
      }
    }

    private void scalar(Node node, JsonToken token) throws IOException {
      if (!node.isWanted()) {
        return;
      }
      if (token != JsonToken.VALUE_STRING) {
        State state = token.isNumeric() ? State.NUMBER : State.BOOLEAN;
        put(node.textSlots, state, parser.getText());
        put(node.jsonSlots, state, parser.getText());
        return;
      }
      int start = node.jsonSlots.isEmpty() ? 0 : start();
      String text = parser.getText();
      if (!node.textSlots.isEmpty()) {
        put(node.textSlots, State.STRING, Texts.storable(text));
      }
      if (!node.jsonSlots.isEmpty()) {
        put(node.jsonSlots, State.STRING, jsonFrom(start));
      }
    }

    private int start() {
      return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
    }

    /** The document's bytes up to the parser's place, as they are written. */
    private String jsonFrom(int start) {
      int end = Math.toIntExact(parser.currentLocation().getByteOffset());
      return Texts.decode(document, start, end - start);
    }

    private void put(List<Integer> slots, State state, @Nullable String text) {
      for (int slot : slots) {
        into.put(slot, state, text);
      }
    }

    private static String at(Node node) {
      return node.place.isEmpty() ? "" : ", " + node.place;
    }
  }
}
