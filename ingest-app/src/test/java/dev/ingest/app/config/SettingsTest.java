package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsTest {
  @Test
  void everySettingIsListed() throws IllegalAccessException {
    List<Setting<?>> settings = declaredIn(Settings.class);
    List<Setting<?>> written = declaredIn(WriteSettings.class);

    assertThat(Settings.ALL)
        .hasSize(settings.size() + written.size())
        .containsSubsequence(settings)
        .containsSubsequence(written);
  }

  private static List<Setting<?>> declaredIn(Class<?> type) throws IllegalAccessException {
    List<Setting<?>> declared = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (field.getType() == Setting.class) {
        declared.add((Setting<?>) field.get(null));
      }
    }
    return declared;
  }

  @Test
  void everyDefaultIsAValueOfItsType() {
    assertThat(Settings.ALL)
        .allSatisfy(
            setting ->
                setting
                    .defaultValue()
                    .ifPresent(text -> assertThat(setting.type().parse(text)).isNotNull()));
  }

  @Test
  void namesDifferAlsoInTheEnvironment() {
    assertThat(Settings.ALL).extracting(Setting::environmentName).doesNotHaveDuplicates();
  }

  @Test
  void everySecretCanComeFromAFile() {
    assertThat(Settings.ALL)
        .filteredOn(Setting::secret)
        .isNotEmpty()
        .allSatisfy(setting -> assertThat(Settings.isListed(setting.key() + "-file")).isTrue());
  }

  /** Scripts and dashboards rely on these names: changing one is a change of the contract. */
  @Test
  void namesAndDefaultsAreThoseOfTheContract() {
    assertThat(Settings.ALL.stream().map(each -> each.key() + "=" + each.defaultValue().orElse("")))
        .contains(
            "ingest.source.topics=",
            "ingest.source.group-id=ingest",
            "ingest.source.consumers=1",
            "ingest.key.from=record-key",
            "ingest.batch.max-events=1000",
            "ingest.batch.max-bytes=8MiB",
            "ingest.batch.linger=5ms",
            "ingest.lock.mode=key",
            "ingest.lock.budget=auto",
            "ingest.lock.timeout=5s",
            "ingest.postgres.url=",
            "ingest.postgres.user=",
            "ingest.postgres.password=",
            "ingest.postgres.password-file=",
            "ingest.errors.bad-event=park",
            "ingest.http.port=8080");
  }
}
