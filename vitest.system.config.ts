import { defineConfig } from 'vitest/config'
import { yamlAsText } from './scripts/yaml-as-text.js'
import { plainEnvironment } from './test/support/plain-environment.js'

plainEnvironment()

/** Their leases are as short as a second or two, or they count pauses: a machine that does other things fails them. */
const ALONE = [
  'postgres-gateways',
  'postgres-leases',
  'dial-in-cluster',
  'drain',
  'failover',
  'tap-in-cluster',
].map((name) => `test/system/${name}.test.ts`)

/** Tests that need Debian packages; each says what is missing. */
export default defineConfig({
  plugins: [yamlAsText],
  test: {
    globalSetup: ['test/system/debian-packages.ts', 'test/support/build.ts'],
    experimental: { fsModuleCache: true },
    // What hangs is told late: a machine that does other things as well needs five times as long as a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 90_000 } },
    // Most of their time is waiting: for leases, timers and starts of processes. Each has servers and ports of its own.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/system/**/*.test.ts'],
          exclude: ALONE,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
