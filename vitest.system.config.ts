import { defineConfig } from 'vitest/config'
import { yamlAsText } from './scripts/yaml-as-text.js'
import { plainEnvironment } from './test/support/plain-environment.js'

plainEnvironment()

/** Tests that need Debian packages; each says what is missing. */
export default defineConfig({
  plugins: [yamlAsText],
  test: {
    include: ['test/system/**/*.test.ts'],
    globalSetup: ['test/system/debian-packages.ts', 'test/support/build.ts'],
    experimental: { fsModuleCache: true },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
