import { defineConfig } from 'vitest/config'
import { yamlAsText } from './scripts/yaml-as-text.js'

/** What `npm run mutation` runs: the tests of the folder that it changes. */
const folder = process.env['MUTATED_FOLDER'] ?? '{hsms,secs1,gem,store,gateway}'

export default defineConfig({
  plugins: [yamlAsText],
  test: { include: [`test/${folder}/**/*.test.ts`], testTimeout: 60_000, hookTimeout: 60_000 },
})
