// Writes the pages of docs/ that are made from the catalogue: `npm run docs`.
import { writeFileSync } from 'node:fs'
import { referencePage } from '../src/catalogue/description/reference-page.js'
import { STANDARD_CATALOGUE } from '../src/catalogue/standard-catalogue.js'

writeFileSync('docs/messages.md', referencePage(STANDARD_CATALOGUE))
