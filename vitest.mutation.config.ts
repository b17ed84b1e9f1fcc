import { relative } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { yamlAsText } from './scripts/yaml-as-text.js'
import { plainEnvironment } from './test/support/plain-environment.js'

plainEnvironment()

/**
 * Tests that run code of a folder in their own process; StrykerJS runs all of them once to find out which of them reach a
 * change. With those of `test/api` or `test/daemon` that took 13 minutes and more on two busy cores.
 */
const TESTS: Readonly<Record<string, string>> = {
  secs1: '{secs1,simulator,probe,gateway/link}/**/*',
  hsms: '{hsms,secs1,simulator,probe,foreign,gateway}/**/*',
  gem: '{gem,simulator,probe,foreign,gateway}/**/*',
  // What a person is told of a folder is tested where it is shown.
  store: '{store/**/*,daemon/stored-files}',
  postgres: '{store/postgres,system}/**/*',
  // Calls without daemons.
  gateway:
    '{gateway/**/*,api/{access,audit,idempotency,journal-export,keys,list-filters,nodes,revisions,wire}}',
}
const folder = process.env['MUTATED_FOLDER'] ?? 'gem'

/** A change that no test detects would run all tests that reach it, of which a start of the gateway has thousands. */
const MAX_FILES = 30
const wordsOf = (path: string): ReadonlySet<string> => new Set(path.split(/\W/))

/** A run ends at the first failure: first come the tests whose folders and names are those of the changed file. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const changed = this.ctx.config.related ?? []
    if (changed.length > 1) return files
    const words = wordsOf(relative('src', changed[0] ?? ''))
    const nearness = ({ moduleId }: TestSpecification) =>
      [...wordsOf(relative('test', moduleId))].filter((word) => words.has(word)).length
    return files.toSorted((a, b) => nearness(b) - nearness(a)).slice(0, MAX_FILES)
  }
}

/** StrykerJS asks for threads, in which the native lock of files ends the process. */
const inProcesses: Plugin = {
  name: 'in-processes',
  configureVitest: ({ project }) => {
    project.config.pool = 'forks'
  },
}

export default defineConfig({
  plugins: [yamlAsText, inProcesses],
  test: {
    include: [`test/${TESTS[folder]}.test.ts`],
    exclude: [
      // Its time limit is too short for a machine that is busy.
      'test/gateway/many-on-one-port.test.ts',
      // Those with a database are wanted, without daemons.
      'test/system/!(migrate|postgres-{database,journal,leases,store}).test.ts',
    ],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: NearestFirst },
    // What a busy machine makes slow is no mutant that a test detects. What waited for a minute waits without end.
    retry: { count: 1, condition: /^(?!.*timed out)/ },
  },
})
