#!/usr/bin/env node
// Prints the longest files and the folders with the most files: a report for readers. No test enforces it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SHOWN = 15

const files = ['src', 'commands'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(root, file)),
)
const lines = files.map((file) => [file, readFileSync(file, 'utf8').split('\n').length - 1])
const folders = new Map()
for (const file of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)

function print(title, counts) {
  console.log(title)
  for (const [name, count] of [...counts].sort((one, other) => other[1] - one[1]).slice(0, SHOWN)) {
    console.log(`${String(count).padStart(6)}  ${name}`)
  }
}

const total = lines.reduce((sum, [, count]) => sum + count, 0)
console.log(`${files.length} files, ${total} lines`)
print('Lines of the longest files', lines)
print('Files in the fullest folders', folders)
