import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { catalogueHere } from '../../../src/cli/messages/catalogue-flag.js'
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.js'

const home = temporaryFolder('secsctl-catalogue-')
afterAll(() => {
  chmodSync(home, 0o700)
  removeFolder(home)
})

test.skipIf(process.getuid?.() === 0)(
  'a home that this user may not enter is no need of a catalogue',
  async () => {
    chmodSync(home, 0)
    const notes: string[] = []
    const found = await catalogueHere(process.stdin, undefined, join(home, 'state'), (text) =>
      notes.push(text),
    )
    expect(found).toBe(STANDARD_CATALOGUE)
    expect(notes).toEqual([expect.stringContaining('this user may not')])
  },
)
