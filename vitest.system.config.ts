import { defineConfig } from 'vitest/config'

/** Tests that need Debian packages; each says what is missing. */
export default defineConfig({
  test: {
    include: ['test/system/**/*.test.ts'],
    globalSetup: ['test/support/debian-packages.ts', 'test/support/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
