package dev.ingest.app.config;

import java.io.Reader;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads a YAML file into a layer. It walks the nodes instead of building objects, so that values
 * stay as they were written ({@code 007} is no number, {@code no} no boolean), lines are known and
 * a name given twice is seen. The parser's own messages quote the file, secrets included, and are
 * not passed on.
 */
final class YamlLayer {
  private final Layer layer;
  private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private YamlLayer(Layer layer) {
    this.layer = layer;
  }

  /**
   * @param name of the file, for messages
   * @param reader closed by the caller
   */
  static Layer read(String name, Reader reader, int ordinal) {
    Layer layer = new Layer(name, ordinal);
    try {
      Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(reader);
      if (root != null) {
        new YamlLayer(layer).walkRoot(root);
      }
    } catch (MarkedYAMLException e) {
      layer.problem(
          name
              + " is no valid YAML"
              + position(e.getProblemMark())
              + "; mend it (quote a value that begins with a special character)");
    } catch (YAMLException e) {
      layer.problem(name + " is no valid YAML; save it as UTF-8 without control characters");
    }
    return layer;
  }

  private static String position(Mark mark) {
    return mark == null
        ? ""
        : " at line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
  }

  private void walkRoot(Node root) {
    if (root instanceof MappingNode) {
      walk("", root);
    } else if (!isNull(root)) {
      layer.problem("the YAML file holds no settings; write name: value");
    }
  }

  private void walk(String key, Node node) {
    if (node instanceof ScalarNode scalar) {
      layer.put(key, isNull(scalar) ? "" : scalar.getValue(), line(scalar));
    } else if (!seen.add(node)) {
      layer.problem(key + " is an alias; write the values out (line " + line(node) + ")");
    } else if (node instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        walkEntry(key, tuple);
      }
    } else if (node instanceof SequenceNode sequence) {
      walkList(key, sequence);
    }
  }

  private void walkEntry(String parent, NodeTuple tuple) {
    if (tuple.getKeyNode() instanceof ScalarNode name) {
      walk(
          parent.isEmpty() ? name.getValue() : parent + "." + name.getValue(),
          tuple.getValueNode());
    } else {
      layer.problem(
          "line " + line(tuple.getKeyNode()) + " has a name that is no text; use a setting's name");
    }
  }

  private void walkList(String key, SequenceNode sequence) {
    List<Node> items = sequence.getValue();
    if (items.stream().allMatch(ScalarNode.class::isInstance)) {
      String joined =
          items.stream()
              .map(item -> ((ScalarNode) item).getValue())
              .collect(Collectors.joining(","));
      layer.put(key, joined, line(sequence));
      return;
    }
    for (int i = 0; i < items.size(); i++) {
      walk(key + "[" + i + "]", items.get(i));
    }
  }

  private static boolean isNull(Node node) {
    return Tag.NULL.equals(node.getTag());
  }

  private static int line(Node node) {
    return node.getStartMark().getLine() + 1;
  }
}
