import { defineConfig } from 'vitest/config'

/** Tests that run the built command line as processes of its own. */
const PROCESSES = ['test/cli/**/*.test.ts', 'test/e2e/**/*.test.ts', 'test/readme.test.ts']

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: { name: 'units', include: ['test/**/*.test.ts'], exclude: [...PROCESSES, 'test/system/**'] },
      },
      {
        extends: true,
        test: { name: 'processes', include: PROCESSES, globalSetup: ['test/support/build.ts'] },
      },
    ],
  },
})
