import { relative } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { yamlAsText } from './scripts/yaml-as-text.js'
import { plainEnvironment } from './test/support/plain-environment.js'

plainEnvironment()

/** The tests that run code of a folder in their own process; StrykerJS finds out which of them reach a change. */
const TESTS: Readonly<Record<string, string>> = {
  secs1: '{secs1,simulator,probe,gateway/link}',
  hsms: '{hsms,secs1,simulator,probe,foreign,gateway}',
  gem: '{gem,simulator,probe,foreign,gateway}',
  store: '{store,gateway,daemon,world}',
  postgres: '{store/postgres,system}',
  gateway: '{gateway,api,daemon,foreign,simulator}',
}
const folder = process.env['MUTATED_FOLDER'] ?? 'gem'

/** A run ends at the first failure, and the tests beside the changed file are the most likely to fail. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [changed = ''] = this.ctx.config.related ?? []
    const path = relative('src', changed).split('/')
    const nearness = (file: TestSpecification) => {
      const folders = relative('test', file.moduleId).split('/')
      return path.findIndex((name, n) => name !== folders[n])
    }
    return files.toSorted((a, b) => nearness(b) - nearness(a))
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
    include: [`test/${TESTS[folder]}/**/*.test.ts`],
    // The first runs a process; of the tests of the system only those with a database are wanted, without daemons.
    exclude: [
      'test/world/simulation.test.ts',
      'test/system/!(migrate|postgres-{database,journal,leases,store}).test.ts',
    ],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: NearestFirst },
    // What a busy machine makes slow is no mutant that a test detects.
    retry: 1,
  },
})
