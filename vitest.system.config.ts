import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { yamlAsText } from './scripts/yaml-as-text.js'
import { plainEnvironment } from './test/support/plain-environment.js'

plainEnvironment()

/** Tests that need Debian packages; each says what is missing. */
export default defineConfig({
  plugins: [yamlAsText],
  test: {
    include: ['test/system/**/*.test.ts'],
    globalSetup: ['test/support/debian-packages.ts', 'test/support/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // These tests wait for daemons, leases and databases most of the time: on two cores four files at once.
    maxWorkers: Math.max(4, availableParallelism()),
  },
})
