package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.SAXException;

class ResultsTest {

    private static final List<String> ROWS = List.of(
            "fs,disk,mode,chunks,round,measure,variant,references,touched,missing,opened,mark_s,total_s,cpu_s,reads,read_mb",
            "xfs,none,warm,1000,1,gc,direct,5000,1000,0,0,2.0,4.0,1.0,0,0",
            "xfs,none,warm,1000,1,gc,batch:1,5000,1000,0,10,1.0,3.0,0.8,0,0",
            // A round in which the machine was slow: both take four times as long.
            "xfs,none,warm,1000,2,gc,direct,5000,1000,0,0,8.0,16.0,1.1,0,0",
            "xfs,none,warm,1000,2,gc,batch:1,5000,1000,0,10,4.0,12.0,0.9,0,0",
            "xfs,none,warm,1000,3,gc,direct,5000,1000,0,0,2.0,4.0,1.0,0,0",
            "xfs,none,warm,1000,3,touch,direct,0,1000,0,0,3.0,3.0,1.0,0,0",
            "xfs,none,warm,1000,3,touch,native:direct,0,1000,0,0,2.0,2.0,0.5,0,0");

    private final Results results = Results.parse(ROWS);
    private final Results.Setting gc = results.settings().get(0);

    @Test
    void ratio_isTakenWithinEachRound() {
        assertThat(results.ratio(gc, "batch:1", "direct", Results.Line::seconds).orElseThrow())
                .isEqualTo(0.5, within(1e-9));
    }

    @Test
    void ratioToWhatNeverRan_isEmpty() {
        assertThat(results.ratio(gc, "batch:1", "native:batch:1", Results.Line::seconds))
                .isEmpty();
    }

    @Test
    void medianOfAnEvenNumber_isTheMeanOfTheMiddleTwo() {
        assertThat(Results.median(new double[] {9, 1, 3, 2})).isEqualTo(2.5);
        assertThat(results.median(gc, "direct", Results.Line::seconds)).isEqualTo(2.0);
    }

    @Test
    void rowWithAFieldTooFew_isRefused() {
        assertThatThrownBy(() -> Results.parse(List.of("fs,disk", "xfs"))).hasMessageContaining("xfs");
    }

    @Test
    void tables_compareWithDirectAndWithTheNativeProgramOfTheSameKind() {
        String tables = Summary.tables(results);
        assertThat(tables).contains("**xfs, warm** (1000 chunks, 3 rounds)");
        assertThat(tables).contains("| batch:1 | 2.50 (1.00–4.00) | 0.50 |");
        // CPU seconds 1.0 against 0.5, time 3 against 2.
        assertThat(tables).contains("| direct | 3.00 (3.00–3.00) | 1.00 | 1.50 | 1.00 | 1.00 | 2.00 |");
    }

    @Test
    void plots_areWellFormed(@TempDir Path directory) throws IOException, ParserConfigurationException, SAXException {
        Path csv = Files.write(directory.resolve("results.csv"), ROWS);
        Summary.main(new String[] {"--csv", csv.toString(), "--out", directory.toString()});
        for (String name : List.of("gc-warm.svg", "touch-warm.svg")) {
            byte[] svg = Files.readAllBytes(directory.resolve(name));
            var document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(svg));
            assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
            assertThat(new String(svg, StandardCharsets.UTF_8)).contains("xfs, warm");
        }
    }
}
