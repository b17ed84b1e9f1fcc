// Writes what is made from the code in docs/: the picture of the demo, from what the built demo prints: `npm run docs`.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { demoPicture } from './demo-picture.js'

const output = execFileSync(process.execPath, ['bin/run.js', 'demo'], {
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1' },
})
writeFileSync('docs/demo.svg', demoPicture(output))
