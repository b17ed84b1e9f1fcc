// Writes what is made from the code in docs/: the page of messages from the catalogue, and the picture of the demo
// from what the built demo prints: `npm run docs`.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { referencePage } from '../src/catalogue/description/reference-page.js'
import { STANDARD_CATALOGUE } from '../src/catalogue/standard-catalogue.js'
import { demoPicture } from './demo-picture.js'

writeFileSync('docs/messages.md', referencePage(STANDARD_CATALOGUE))
const output = execFileSync(process.execPath, ['bin/run.js', 'demo'], {
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1' },
})
writeFileSync('docs/demo.svg', demoPicture(output))
