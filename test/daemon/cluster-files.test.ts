import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { DAEMON_FLAGS } from '../../src/cli/daemon/daemon-flags.js'
import { DOCUMENTED_VARIABLES } from '../../src/cli/environment-variables.js'

interface Service {
  readonly command?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
}

const page = readFileSync('docs/cluster.md', 'utf8')
const { services, secrets } = parse(readFileSync('docs/cluster/compose.yaml', 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, unknown>>
}
const balancer = readFileSync('docs/cluster/haproxy.cfg', 'utf8')
const gateways = Object.entries(services).filter(([name]) => name.startsWith('gateway-'))

test('the daemons of the compose file are started with flags and variables that there are', () => {
  expect(gateways).toHaveLength(3)
  for (const [name, { command = '', environment = {}, secrets: given = [] }] of gateways) {
    // npm's own: the package is not published.
    expect(command).toContain('npx --yes --package /secsctl.tgz secsctl daemon run ')
    const flags = [...(command.split(' daemon run ')[1] ?? '').matchAll(/--([a-z-]+)/g)].map(
      ([, flag]) => flag,
    )
    expect(flags.filter((flag) => !Object.hasOwn(DAEMON_FLAGS, flag ?? ''))).toEqual([])
    expect(environment['NODE_NAME']).toBe(name)
    const names = Object.keys(environment).filter((one) => one.startsWith('SECSCTL_'))
    expect(names.filter((one) => !DOCUMENTED_VARIABLES.some(([known]) => known === one))).toEqual([])
    expect(given.filter((one) => !Object.hasOwn(secrets, one))).toEqual([])
  }
})

test('its balancer knows each daemon, for the API and for equipment', () => {
  for (const [name] of gateways) {
    expect(balancer).toContain(`server ${name} ${name}\n`)
    expect(balancer).toContain(`server ${name} ${name}:7327\n`)
  }
})

test('the flags in docs/cluster.md are flags of the daemon', () => {
  const commands = [...page.matchAll(/^secsctl daemon (?:run|start)(?: .*\\\n)*.*$/gm)].map(([text]) => text)
  expect(commands.length).toBeGreaterThan(1)
  const flags = commands.flatMap((text) => [...text.matchAll(/ --([a-z-]+)/g)].map(([, flag]) => flag ?? ''))
  expect(flags.filter((flag) => !Object.hasOwn(DAEMON_FLAGS, flag))).toEqual([])
})
