package dev.holdfast.engine.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskAbortedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OrderedPipelineTest {

    private final RecordingTask task = new RecordingTask();
    private final List<Integer> results = new ArrayList<>();

    @Test
    void results_comeInOrderWhateverFinishesFirst() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        try (OrderedPipeline<Integer> pipeline = new OrderedPipeline<>("test", task, results::add)) {
            boolean parallel = OrderedPipeline.cores() > 1;
            pipeline.submit(() -> {
                if (parallel) {
                    second.await();
                }
                return 0;
            });
            for (int i = 1; i < 100; i++) {
                int value = i;
                pipeline.submit(() -> {
                    second.countDown();
                    return value;
                });
            }
            pipeline.finish();
        }

        assertThat(results).hasSize(100).isSorted();
    }

    @Test
    void itemsUnderWay_areBounded() throws Exception {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (OrderedPipeline<Integer> pipeline =
                new OrderedPipeline<>("test", task, value -> underWay.decrementAndGet())) {
            for (int i = 0; i < 1000; i++) {
                int value = i;
                pipeline.submit(() -> {
                    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                    return value;
                });
            }
            pipeline.finish();
        }

        assertThat(most.get()).isBetween(1, OrderedPipeline.window());
    }

    @Test
    void failure_reachesTheSubmitterAsItself() {
        assertThatThrownBy(() -> {
                    try (OrderedPipeline<Integer> pipeline = new OrderedPipeline<>("test", task, results::add)) {
                        pipeline.submit(() -> 1);
                        pipeline.submit(() -> {
                            throw new DatastoreException("broken");
                        });
                        pipeline.submit(() -> 3);
                        pipeline.finish();
                    }
                })
                .isInstanceOf(DatastoreException.class)
                .hasMessage("broken");
        assertThat(results).containsExactly(1);
    }

    @Test
    void abort_endsAWaitForASlowWorker() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        try (OrderedPipeline<Integer> pipeline = new OrderedPipeline<>("test", task, results::add)) {
            pipeline.submit(() -> {
                started.countDown();
                release.await();
                return 1;
            });
            started.await();
            task.abort = true;
            assertThatThrownBy(pipeline::finish).isInstanceOf(TaskAbortedException.class);
            release.countDown();
        }
        assertThat(results).isEmpty();
    }
}
