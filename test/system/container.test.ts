import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../support/free-port.js'
import { SmallRoot } from './small-root.js'

const run = promisify(execFile)

/** Instructions of the Dockerfile in order, with continued lines joined. */
const instructions = readFileSync('Dockerfile', 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => /^(\S+)\s+(.*)$/.exec(line)?.slice(1) ?? [line])

const last = (name: string): string =>
  instructions.findLast(([instruction]) => instruction === name)?.[1] ?? ''

interface Service {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const compose = parse(readFileSync('compose.yaml', 'utf8')) as {
  readonly services: { readonly secsctl: Service }
  readonly secrets: object
  readonly volumes: object
}
const service = compose.services.secsctl

const folder = mkdtempSync(join(tmpdir(), 'secsctl-container-'))
/** The file system of the image: the executable, the C libraries, and the folder of the volume. */
const root = new SmallRoot(join(folder, 'root'))
const user = last('USER')
const [uid = 0, gid = 0] = user.split(':').map(Number)
const [entry = ''] = JSON.parse(last('ENTRYPOINT')) as string[]
const environment = Object.fromEntries(
  instructions
    .filter(([name]) => name === 'ENV')
    .map(([, given = '']) => given.split('=') as [string, string]),
)
const volume = environment['SECSCTL_HOME'] ?? ''

beforeAll(async () => {
  chmodSync(folder, 0o755)
  const packages = join(folder, 'packages')
  await run(process.execPath, ['scripts/package.mjs', '--executable', packages])
  const [executable = ''] = readdirSync(packages)
  await root.add(join(packages, executable), entry)
  for (const name of ['run/secrets', volume]) mkdirSync(root.path(name), { recursive: true })
  chmodSync(root.path(volume), 0o700)
  chownSync(root.path(volume), uid, gid)
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', root.path('run/secrets/key'), '-out', root.path('run/secrets/cert')]
  await run('openssl', ['req', '-x509', ...algorithm, ...subject, ...files])
  chownSync(root.path('run/secrets/key'), uid, gid)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the executable there, as the user of the image, who has no account and can write to the volume alone. */
const inside = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  root.run([entry, ...args], { user, env: { ...environment, ...env } })

test('the image runs the executable without root, and nothing of the build is in it', () => {
  expect([uid, gid].every((id) => id > 0)).toBe(true)
  const stages = instructions.filter(([name]) => name === 'FROM').map(([, image]) => image)
  expect(stages).toEqual([expect.stringMatching(/ AS build$/), expect.stringContaining('nonroot')])
  for (const [name, what = ''] of instructions)
    if (name === 'COPY' && what !== '. .') expect(what).toMatch(/^--from=build /)
  const steps = last('RUN').split(/\s*&&\s*/)
  expect(steps).toContain('node scripts/package.mjs --executable /packages')
  // The commit is part of the version.
  expect(readFileSync('.dockerignore', 'utf8')).not.toMatch(/^\.git$/m)
})

test('the service of compose.yaml has a read-only system, no privileges, and one volume for its data', () => {
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    secrets: Object.keys(compose.secrets),
    volumes: [`data:${volume}`],
  })
  expect(Object.keys(compose.volumes)).toEqual(['data'])
})

test('the command of compose.yaml serves in the file system of the image, and its health check sees that', async () => {
  const [, check] = last('HEALTHCHECK').split(/ CMD /)
  const [program, ...asks] = JSON.parse(check ?? '[]') as string[]
  expect(program).toBe(entry)
  await expect(inside(asks)).rejects.toMatchObject({ code: 6 })

  const env = Object.fromEntries(
    Object.keys(service.environment).map((name) => [
      name,
      name.endsWith('EMAIL') ? 'ann@fab.example' : 'correct horse battery',
    ]),
  )
  const daemon = inside([...service.command, '--port', String(await freePort())], env)
  try {
    const status = () => inside(asks).then(({ stdout }) => stdout, String)
    await expect.poll(status).toMatch(/^url\thttps:/)
    expect(readdirSync(root.path(volume))).toContain('data')
  } finally {
    daemon.child.kill('SIGTERM')
    await daemon
  }
})

test('without a certificate, the command of the image says what is missing', async () => {
  await expect(inside(JSON.parse(last('CMD')))).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give --tls-cert and --tls-key'),
  })
})
