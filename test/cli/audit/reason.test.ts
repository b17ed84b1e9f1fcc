import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endpoints } from '../../../src/contract/endpoints.js'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { FakeGateway, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const manifest = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {
  readonly commands: Readonly<Record<string, { readonly flags: object }>>
}

/** Commands about the login itself, those that try things out, and one whose call is typed with its query. */
const WITHOUT = ['login', 'logout', 'equipment:check', 'conform', 'scenario:host', 'api']
const WRITES = Object.entries(endpoints).filter(([, { method }]) => method !== 'GET')

/** The code of a command, and of the functions of its file that it calls. */
function sourceOf(id: string): string {
  const entry = readFileSync(`commands/${id.replaceAll(':', '/')}.ts`, 'utf8')
  const [, name, path] = /^export \{ (\w+) as default \} from '.*\/src\/(.*)\.js'$/m.exec(entry) ?? []
  const parts = readFileSync(`src/${path}.ts`, 'utf8').split(
    /^(?=(?:export )?(?:async function|function|const|class) )/m,
  )
  const named = (part: string): string => /(?:function|const|class) (\w+)/.exec(part)?.[1] ?? ''
  const own = parts.find((part) => named(part) === name) ?? ''
  return [own, ...parts.filter((part) => new RegExp(`\\b${named(part)}\\b`).test(own))].join('\n')
}

test.each(Object.entries(manifest.commands).filter(([id]) => !WITHOUT.includes(id)))(
  '%s takes a reason if it changes something itself',
  (id, { flags }) => {
    const writes = WRITES.some(([name]) => new RegExp(`\\bendpoints\\.${name}\\b`).test(sourceOf(id)))
    if (writes) expect(flags).toHaveProperty('reason')
  },
)

const etcher = sampleEquipment()
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  [`POST /equipment/${etcher.id}/command`]: () => ({ body: REPLIES.sendCommand }),
})
served(gateway)

test('--reason is sent with the call that changes something, and with no other', async () => {
  await runCommand(['command', etcher.name, 'PAUSE', '--reason', 'Partikel: 粒子'], { gateway })
  const reasons = (isRead: boolean): (string | null)[] =>
    gateway.calls
      .filter(({ method }) => (method === 'GET') === isRead)
      .map(({ query }) => query.get('reason'))
  expect(reasons(false)).toEqual(['Partikel: 粒子'])
  expect(reasons(true).every((reason) => reason === null)).toBe(true)
})

test.each([
  ['is sent with its calls', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'the same'],
  ['is not sent where it is not valid', '00-yes', undefined],
])('TRACEPARENT %s', async (_, given, sent) => {
  await runCommand(['command', etcher.name, 'PAUSE'], { gateway, variables: { TRACEPARENT: given } })
  const headers = gateway.calls.map(({ headers }) => headers['traceparent'])
  expect(headers.length).toBeGreaterThan(1)
  expect(new Set(headers)).toEqual(new Set([sent && given]))
})
