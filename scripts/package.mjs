// Builds what is published of the built sources into packages/, or the folder that is given.
//   node scripts/package.mjs [--executable] [FOLDER]
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildExecutable } from './executable/build.mjs'
import { nativeParts } from './executable/native.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [given] = process.argv.slice(2).filter((argument) => argument !== '--executable')
const folder = resolve(given ?? join(root, 'packages'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

if (process.platform !== 'linux' || process.arch !== 'x64')
  throw new Error('packages are built on Linux x64, whose native parts they hold')

const { files: native } = await nativeParts(root)
await buildExecutable({ root, output: join(folder, `secsctl-${version}-linux-x64`), native })
