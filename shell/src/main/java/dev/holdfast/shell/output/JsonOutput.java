package dev.holdfast.shell.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.BackupType;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * Writes results as one JSON document. Records become objects with kebab-case keys in the order of their components; absent
 * values are left out; names of {@code api-types} go out in their text form.
 */
public final class JsonOutput {

    private static final List<Class<?>> AS_TEXT = List.of(
            ArchiveName.class,
            BackupGroup.class,
            BackupNamespace.class,
            BackupType.class,
            ChunkDigest.class,
            CryptMode.class,
            SnapshotId.class,
            Path.class);

    private JsonOutput() {}

    /** Writes the document and a line end. */
    public static void write(Object value, PrintStream out) {
        out.println(mapper().writeValueAsString(value));
    }

    /** A document that is JSON already. */
    public static Object document(String json) {
        return mapper().readTree(json);
    }

    /** The document of a value that is an object, with one more member at its end. */
    public static Object with(Object value, String key, Object member) {
        JsonMapper mapper = mapper();
        ObjectNode document = mapper.valueToTree(value);
        return document.set(key, mapper.valueToTree(member));
    }

    private static JsonMapper mapper() {
        SimpleModule names = new SimpleModule("names");
        for (Class<?> type : AS_TEXT) {
            names.addSerializer(new ToStringSerializer(type));
        }
        return JsonMapper.builder()
                .addModule(names)
                .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                .changeDefaultPropertyInclusion(
                        inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_ABSENT))
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .enable(SerializationFeature.INDENT_OUTPUT)
                .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                .build();
    }
}
