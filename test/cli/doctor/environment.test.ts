import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environmentFindings, VARIABLES } from '../../../src/cli/doctor/settings.js'

test('every variable that the source reads is known, and no other', () => {
  const files = ['src', 'commands'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(root, file)),
  )
  const read = files.flatMap((file) => readFileSync(file, 'utf8').match(/\bSECSCTL_[A-Z_]*[A-Z]\b/g) ?? [])
  const known = [...VARIABLES.keys()].filter((name) => name.startsWith('SECSCTL_'))
  expect(known.sort()).toEqual([...new Set(read)].sort())
})

describe('the environment', () => {
  test('is told without its secrets', async () => {
    const secrets = [...VARIABLES.keys()].filter((name) => /PASSWORD|TOKEN$/.test(name))
    expect(secrets).toHaveLength(5)
    const found = await environmentFindings(Object.fromEntries(secrets.map((name) => [name, 'hush-hush'])))
    expect(found.map(({ name }) => name)).toEqual([...secrets].sort())
    expect(JSON.stringify(found)).not.toContain('hush')
  })

  test('is told of a variable that is spelled wrong', async () => {
    expect(await environmentFindings({ SECSCTL_OUTPT: 'json' })).toEqual([
      {
        area: 'settings',
        name: 'SECSCTL_OUTPT',
        mark: 'note',
        detail: 'no such variable is known; did you mean SECSCTL_OUTPUT?',
        mend: 'unset SECSCTL_OUTPT',
      },
    ])
  })

  test('is wrong where it takes trust away, or has it in a file that is not there', async () => {
    const found = await environmentFindings({
      NODE_EXTRA_CA_CERTS: '/nowhere/at/all.pem',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NO_COLOR: '1',
      TERM: 'dumb',
      SECSCTL_URL: '',
      HOME: '/root',
    })
    expect(found.map(({ name, mark }) => [name, mark])).toEqual([
      ['NO_COLOR', 'ok'],
      ['TERM', 'ok'],
      ['NODE_EXTRA_CA_CERTS', 'wrong'],
      ['NODE_TLS_REJECT_UNAUTHORIZED', 'wrong'],
    ])
    const extra = await environmentFindings({ NODE_EXTRA_CA_CERTS: 'package.json' })
    expect(extra).toMatchObject([{ mark: 'note' }])
  })
})
