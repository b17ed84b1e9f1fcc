import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Home } from '../support/daemon-process.js'
import { freePort } from '../support/free-port.js'
import { Shell } from '../support/page-shell.js'
import { PostgresServer } from './postgres-server.js'

// docs/cluster.md, "Install", typed as it stands on two machines, with a PostgreSQL that wants passwords.

const page = readFileSync('docs/cluster.md', 'utf8')
const [, install = ''] = /^## Install\n([\s\S]*?)^## /m.exec(page) ?? []

/** The blocks of a language, each with its lines; a line that goes on is one with the next. */
const blocks = (language: string): string[][] =>
  [...install.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) =>
    text.replaceAll('\\\n', ' ').trim().split('\n'),
  )

let server: PostgresServer
const homes = [new Home(), new Home()] as const
const ports: number[] = []
const shells: Shell[] = []

beforeAll(async () => {
  server = await PostgresServer.start()
  for (const _ of homes) ports.push(await freePort())
  for (const home of homes) {
    const etc = join(home.folder, 'etc')
    mkdirSync(etc)
    const certificate = ['-keyout', join(etc, 'key.pem'), '-out', join(etc, 'cert.pem')]
    const subject = ['-subj', '/CN=gateway', '-addext', 'subjectAltName=IP:127.0.0.1']
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    execFileSync('openssl', ['req', ...kind, ...certificate, ...subject], { stdio: 'ignore' })
    const shell = new Shell(home)
    await shell.run(`umask 022; mkdir ${home.folder}/bin; cd ${home.folder}
printf '#!/bin/sh\\nexec ${process.execPath} ${process.cwd()}/bin/run.js "$@"\\n' > bin/secsctl; chmod +x bin/secsctl
unset SECSCTL_ADMIN_EMAIL SECSCTL_ADMIN_PASSWORD
export PATH=${home.folder}/bin:$PATH SECSCTL_NO_INPUT=1 SECSCTL_KEYCHAIN=file
export SECSCTL_NEW_PASSWORD='a long enough password' SECSCTL_PASSWORD='a long enough password'`)
    shells.push(shell)
  }
  const authorities = homes.map(({ folder }) => join(folder, 'etc', 'cert.pem')).join(' ')
  for (const [at, { folder }] of homes.entries())
    await shells[at]?.run(`cat ${authorities} > ${folder}/etc/ca.pem`)
})
afterAll(async () => {
  for (const shell of shells) {
    await shell.run('secsctl daemon stop')
    shell.end()
  }
  for (const home of homes) home.dispose()
  await server.remove()
})

/** The page's names of the role, the database, the machines and the folder, as they are here. */
const here = (text: string, at: number): string =>
  text
    .replace(
      'postgres://secsctl@db.fab.example/secsctl?sslmode=verify-full',
      `postgres://fresh@127.0.0.1:${server.port}/fresh?sslmode=disable`,
    )
    .replaceAll('/etc/secsctl', join(homes[at]?.folder ?? '', 'etc'))
    .replace('--host 0.0.0.0', `--host 127.0.0.1 --hsms-host 127.0.0.1 --port ${ports[at]}`)
    .replace(/https:\/\/gateway-\d\.fab\.example:7327/, `https://127.0.0.1:${ports[at]}`)

async function type(lines: readonly string[], at: number): Promise<string> {
  let all = ''
  for (const line of lines) {
    const { output, exit } = (await shells[at]?.run(here(line, at))) ?? { output: '', exit: -1 }
    expect({ line, exit, output: exit === 0 ? '' : output }).toEqual({ line, exit: 0, output: '' })
    all += output
  }
  return all
}

test('the page from a fresh database to two daemons that know each other', async () => {
  const [sql = []] = blocks('sql')
  for (const statement of sql)
    await server.sql(server.url('postgres'), statement.replaceAll(/\bsecsctl\b/g, 'fresh'))
  const [secrets = [], first = [], further = []] = blocks('sh')
  await type(secrets, 0)
  await type(first, 0)
  // The secrets are copied, with their mode.
  await type([`cp -p ${homes[0].folder}/etc/store-* ${homes[1].folder}/etc/`], 1)
  const nodes = await type(further, 1)
  expect(nodes).toContain('gateway-1')
  expect(nodes).toContain('gateway-2')
  expect(nodes).not.toContain('The token is kept') // its administrator is not known there: it got none
  expect(await type(['secsctl daemon nodes'], 0)).toContain('gateway-2')
})

test('a daemon that was stopped for maintenance is not replaced by an empty one, and its command is named', async () => {
  const [, second] = shells
  await type(['secsctl daemon stop'], 1)
  const refused = await second?.run('secsctl daemon start')
  expect(refused?.exit).toBe(2)
  const [, again = ''] = /^Try: (secsctl daemon start .*)$/m.exec(refused?.output ?? '') ?? []
  await type([again], 1)
  expect(await type(['secsctl daemon nodes'], 1)).toContain('gateway-1')
  // A daemon that is started by another command runs as before, too.
  await type(['secsctl daemon stop'], 1)
  const nodes = await type(['SECSCTL_AUTOSTART=1 secsctl daemon nodes'], 1)
  expect(nodes).toContain('gateway-1')
  // With records of its own in files, too, a daemon starts on them and says how to go back.
  await type(['secsctl daemon stop', 'secsctl daemon start --port 0 --store files'], 1)
  await type(['secsctl daemon stop', again, 'secsctl daemon stop'], 1)
  const files = await second?.run('secsctl daemon start --port 0')
  expect(files).toMatchObject({ exit: 0, output: expect.stringContaining(again.replace('start', 'restart')) })
})
