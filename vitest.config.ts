import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { yamlAsText } from './scripts/yaml-as-text.js'
import { plainEnvironment } from './test/support/plain-environment.js'

plainEnvironment()

/** Tests that run the built command line as processes of its own. */
const PROCESSES = [
  'test/cli/**/*.test.ts',
  'test/e2e/**/*.test.ts',
  'test/readme.test.ts',
  'test/verbs.test.ts',
  'test/explanation/vocabulary.test.ts',
  'test/operator-pages.test.ts',
  'test/world/simulation.test.ts',
]

/** A test that takes the timers of its process away: it has a process of its own. */
const ALONE = ['test/world/take-over.test.ts']

export default defineConfig({
  plugins: [yamlAsText],
  test: {
    // What hangs is told late, so that what a busy machine makes slow is no failure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What a process or a socket does takes longer on a machine that is busy.
    expect: { poll: { timeout: 60_000 } },
    // Files share what they load; no test changes anything that another one could see.
    isolate: false,
    // What was transformed is kept in node_modules by its content: a third less of the processor for one file of tests.
    experimental: { fsModuleCache: true },
    // On two cores: half of the tests wait for processes, not for the processor.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['test/**/*.test.ts'],
          exclude: [...PROCESSES, ...ALONE, 'test/system/**'],
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true } },
      {
        extends: true,
        test: {
          name: 'processes',
          include: PROCESSES,
          globalSetup: ['test/support/build.ts'],
        },
      },
    ],
  },
})
