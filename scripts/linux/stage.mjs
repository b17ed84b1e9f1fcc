// A folder with the files of a package.
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Writes files, given as `{ mode, content }` by their paths, and empty folders below `stage`. Folders have mode 0755. */
export function writeFiles(stage, files, folders = []) {
  for (const folder of folders) mkdirSync(join(stage, folder), { recursive: true })
  for (const [path, { content, mode }] of files) {
    mkdirSync(dirname(join(stage, path)), { recursive: true })
    writeFileSync(join(stage, path), content)
    chmodSync(join(stage, path), mode)
  }
  for (const entry of readdirSync(stage, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  chmodSync(stage, 0o755)
}
