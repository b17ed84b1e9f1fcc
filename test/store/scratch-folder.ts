import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Gives new empty folders, and removes all of them when the file's tests are over. */
export function scratchFolders(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'secsctl-store-'))
  let made = 0
  afterAll(() => rmSync(root, { recursive: true }))
  return () => join(root, String(made++))
}
