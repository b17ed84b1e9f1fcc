import { defineConfig } from 'vitest/config'
import { yamlAsText } from './scripts/yaml-as-text.js'

/** What `npm run mutation` runs: the tests beside the code that it changes. */
export default defineConfig({
  plugins: [yamlAsText],
  test: { include: ['test/{hsms,store,gateway}/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
})
