import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningDaemon } from '../../../src/daemon/daemon.js'
import { sinkSchema } from '../../../src/daemon/schemas/sink-schema.js'
import { WebhookServer } from '../../gateway/sinks/webhook-server.js'
import { DAEMON_ADMIN, startDaemonHere } from '../../support/daemon-here.js'
import { type RunOptions, Secsctl } from '../../support/secsctl.js'
import { until } from '../../support/until.js'

const data = mkdtempSync(join(tmpdir(), 'secsctl-sinks-'))
const secsctl = new Secsctl()
const SECRET = `whsec_${Buffer.from('a key of thirty-two whole bytes!').toString('base64')}`
let daemon: RunningDaemon

beforeAll(async () => {
  daemon = await startDaemonHere(data, { allowLocalSinks: true })
  const flags = ['--url', daemon.url, '--email', DAEMON_ADMIN.email, '--password-stdin']
  await secsctl.run(['login', ...flags], { input: DAEMON_ADMIN.password })
  await run('equipment add etcher --address 127.0.0.1:1')
})
afterAll(async () => {
  await daemon.stop()
  secsctl.remove()
  rmSync(data, { recursive: true, force: true })
})

const run = (args: string, options?: RunOptions) =>
  secsctl.run([...args.split(' '), '--url', daemon.url], options)
const json = async (args: string) => {
  const { code, stdout, stderr } = await run(`${args} --json`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}
/** An event of the equipment: nothing listens at its address. */
const someEvents = async (): Promise<void> => {
  await run('equipment connect etcher --wait 1s')
  await run('equipment disconnect etcher')
}
const filesWith = (text: string): string[] =>
  readdirSync(data, { recursive: true, encoding: 'utf8' })
    .map((name) => join(data, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text))

test('a webhook is added, tested, listed, shown, paused, resumed and removed; its secret is never shown', async () => {
  const server = await WebhookServer.listen()
  const file = join(secsctl.home, 'mes.key')
  writeFileSync(file, `${SECRET}\n`, { mode: 0o600 })
  const added = await run(`sinks add mes --webhook ${server.url}?token=x1y2 --secret-file ${file}`)
  expect(added).toMatchObject({ code: 0, stderr: 'Try it: secsctl sinks test mes\n' })
  const tested = await run('sinks test mes')
  expect(tested).toMatchObject({ code: 0, stdout: '' })
  expect(tested.stderr).toMatch(/^mes accepts messages: [0-9a-f]{16}-test-\d+\n$/)
  expect(server.calls.at(-1)?.headers['webhook-signature']).toMatch(/^v1,/)
  await someEvents()
  await until(async () => (await json('sinks show mes')).delivered > 1)
  await until(async () => (await json('sinks list'))[0].lag_entries === 0)
  expect(server.messages.filter(({ type }) => type === 'secsctl.attempt_failed').length).toBeGreaterThan(0)
  const shown = await run('sinks show mes')
  expect(shown.stdout).toMatch(/^signed\tyes$/m)
  const listed = await run('sinks list')
  expect(listed.stdout).toMatch(/^mes\t.*webhook\thttp:\/\/127\.0\.0\.1:\d+\/hook\?\.\.\.\t.*active/m)
  expect(await json('sinks pause mes')).toMatchObject({ state: 'paused' })
  const before = server.calls.length
  await someEvents()
  expect((await json('sinks list'))[0].lag_entries).toBeGreaterThan(0)
  expect(server.calls).toHaveLength(before)
  await json('sinks resume mes')
  await until(async () => (await json('sinks show mes')).lag_entries === 0)
  const printed = [
    added,
    tested,
    shown,
    listed,
    await run('sinks list --json'),
    await run('audit list --all'),
  ]
  for (const { stdout, stderr } of printed)
    for (const text of [SECRET, 'x1y2']) expect(stdout + stderr).not.toContain(text)
  expect(filesWith(SECRET)).toEqual([])
  expect(await run('sinks remove mes')).toMatchObject({ code: 2 })
  expect(await run('sinks remove mes --yes')).toMatchObject({ code: 0 })
  expect(await json('sinks list')).toEqual([])
  expect(await run('sinks show mes')).toMatchObject({ code: 3, stdout: '' })
})

test('a target that cannot be reached is an error of the test', async () => {
  await json('sinks add away --webhook http://127.0.0.1:1/')
  const { code, stderr } = await run('sinks test away')
  expect(code).toBe(6)
  expect(stderr).toContain('the target does not accept it: connect ECONNREFUSED 127.0.0.1:1')
  await json('sinks remove away --yes')
})

test('a file has limits, and is replaced as a whole', async () => {
  const added = await json('sinks add etch --file etch.ndjson --max-size 1.5MiB --keep-files 3')
  expect(added).toMatchObject({ file: { file: 'etch.ndjson', max_bytes: 1_572_864, keep: 3 } })
  expect(await run('sinks test etch')).toMatchObject({ code: 0 })
  const [line = ''] = readFileSync(join(data, 'sinks', 'etch.ndjson'), 'utf8').split('\n')
  expect(JSON.parse(line)).toMatchObject({ type: 'secsctl.test', data: { sink: 'etch' } })
  const other = await json('sinks update etch --file other.ndjson')
  expect(other.file).toEqual({ file: 'other.ndjson' })
  for (const [args, words] of [
    ['sinks update etch --max-size 1MiB', '--file'],
    ['sinks add x --file x.ndjson --max-size 1KiB', '--max-size takes a size of 64KiB or more, such as'],
    ['sinks add x --file x.ndjson --max-size 9999TiB', '--max-size'],
    ['sinks add x --file x.ndjson --keep-files 0', 'keep-files'],
    ['sinks add x --file other.ndjson', 'other sink'],
    ['sinks add x --file ../x', '--file'],
    ['sinks add x --file x.1', '--file'],
    ['sinks add x', '--webhook'],
    ['sinks add x --file x.ndjson --user a', '--user needs --mqtt, --sparkplug or --kafka'],
    ['sinks add x --webhook http://mes.example --topic t', '--topic needs --mqtt or --kafka'],
    ['sinks add x --webhook ftp://x', '--webhook'],
    ['sinks add x --webhook http://u:p@mes.example', '--webhook'],
    ['sinks add x --webhook http://mes.example --secret-file -', '--secret-file'],
    ['sinks add x --file x.ndjson --type alarms', '--type'],
    ['sinks add x --file x.ndjson -l a=(', '--selector'],
    ['sinks add x --file x.ndjson --start tomorrow', '--start'],
    ['sinks update etch', 'nothing to change'],
    ['sinks update etch --no-type --type alarm', 'no-type'],
  ] as const) {
    const { code, stdout, stderr } = await run(args, { input: 'no key' })
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
    expect(stderr).toContain(words)
  }
  expect(await run('sinks add etch --file z.ndjson')).toMatchObject({ code: 5 })
  await json('sinks remove etch --yes')
})

test('filters and the secret are set and taken away', async () => {
  const file = join(secsctl.home, 'lake.key')
  writeFileSync(file, SECRET)
  const filter =
    '--equipment etcher --equipment etch-* -l area=etch --type alarm --type state --name alarm_set'
  const added = await json(`sinks add lake --webhook http://127.0.0.1:1/ ${filter} --secret-file ${file}`)
  const all = {
    equipment: ['etcher', 'etch-*'],
    label_selector: 'area=etch',
    types: ['alarm', 'state'],
    names: ['alarm_set'],
    messages: null,
    signed: true,
  }
  expect(added).toMatchObject(all)
  for (const [flag, member, none] of [
    ['--no-equipment', 'equipment', null],
    ['--no-selector', 'label_selector', null],
    ['--no-type', 'types', null],
    ['--no-name', 'names', null],
    ['--no-secret', 'signed', false],
  ] as const) {
    expect(await json(`sinks update lake ${flag}`)).toMatchObject({ ...all, [member]: none })
    await json(`sinks update lake ${filter} --secret-file ${file}`)
  }
  const bare = '--no-equipment --no-selector --no-type --no-name --no-secret --rename pond'
  expect(await json(`sinks update lake ${bare}`)).toMatchObject({
    ...{
      name: 'pond',
      equipment: null,
      label_selector: null,
      types: null,
      names: null,
      messages: null,
      signed: false,
    },
  })
  expect(await json('sinks update pond --message s6f11 --message S5')).toMatchObject({
    messages: ['S6F11', 'S5'],
  })
  expect(await json('sinks update pond --no-message')).toMatchObject({ messages: null })
  await json('sinks remove pond --yes')
})

test('dead letters are listed, sent again, and given up', async () => {
  const server = await WebhookServer.listen()
  server.answer = ({ text }) => (text.includes('attempt_failed') ? 422 : 204)
  await json(`sinks add mes --webhook ${server.url} --name attempt_failed`)
  await someEvents()
  // Three attempts, of which `resume` hurries the second and third.
  await until(async () => {
    await json('sinks resume mes')
    return (await json('sinks show mes')).dead > 0
  })
  const [letter] = await json('sinks dead mes')
  expect(letter).toMatchObject({
    reason: 'it responded with 422',
    message: { type: 'secsctl.attempt_failed' },
  })
  const table = await run('sinks dead mes')
  expect(table.stdout).toMatch(
    new RegExp(`^${letter.id}\\t\\S+\\tattempt_failed\\tetcher\\tit responded with 422$`, 'm'),
  )
  server.answer = () => 204
  server.calls.length = 0
  await json(`sinks retry mes --id ${letter.id}`)
  await until(async () => !(await json('sinks dead mes')).some(({ id }: { id: string }) => id === letter.id))
  expect(server.messages.some(({ id }) => id.endsWith(`-${letter.id}`))).toBe(true)
  await json('sinks retry mes --drop')
  expect(await run('sinks dead mes')).toMatchObject({ code: 0, stdout: '', stderr: 'No dead letters.\n' })
  await json('sinks remove mes --yes')
})

test('several sinks are paused and resumed by names and patterns', async () => {
  for (const name of ['lake-1', 'lake-2', 'mes-2']) await json(`sinks add ${name} --file ${name}.ndjson`)
  const states = async () =>
    Object.fromEntries(
      (await json('sinks list')).map(({ name, state }: Record<string, string>) => [name, state]),
    )
  expect(await json('sinks pause lake-*')).toMatchObject([{ name: 'lake-1' }, { name: 'lake-2' }])
  expect(await states()).toMatchObject({ 'lake-1': 'paused', 'lake-2': 'paused', 'mes-2': 'active' })
  expect(await json('sinks resume lake-1 mes-2')).toMatchObject([{ name: 'lake-1' }, { name: 'mes-2' }])
  const none = await run('sinks pause mes-2 x*')
  expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining("No sink matches 'x*'") })
  expect(await states()).toMatchObject({ 'lake-1': 'active', 'lake-2': 'paused', 'mes-2': 'active' })
  for (const name of ['lake-1', 'lake-2', 'mes-2']) await run(`sinks remove ${name} --yes`)
})

test('a viewer sees sinks, and changes none', async () => {
  const server = await WebhookServer.listen()
  await json(`sinks add mes --webhook ${server.url}`)
  const key = (await run('keys add viewer --role viewer --expires 1d')).stdout.trim()
  const env = { SECSCTL_TOKEN: key }
  for (const args of ['list', 'show mes', 'dead mes'])
    expect(await run(`sinks ${args}`, { env })).toMatchObject({ code: 0 })
  for (const args of [
    'add x --file x.ndjson',
    'update mes --type alarm',
    'test mes',
    'pause mes',
    'resume mes',
    'retry mes',
    'remove mes --yes',
  ]) {
    const { code, stderr } = await run(`sinks ${args}`, { env })
    expect({ args, code }).toEqual({ args, code: 4 })
    expect(stderr).toContain('admin')
  }
  expect(server.calls).toEqual([])
  await json('sinks remove mes --yes')
})

test('the schema of messages is printed without a gateway', async () => {
  const alone = new Secsctl()
  for (const format of ['event', 'flat'] as const) {
    const { code, stdout, stderr } = await alone.run(['sinks', 'schema', format])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(sinkSchema(format))
    expect(stdout).not.toContain('components/schemas')
  }
  expect(await alone.run(['sinks', 'schema'])).toMatchObject({ code: 2, stdout: '' })
  expect(await alone.run(['sinks', 'schema', 'xml'])).toMatchObject({ code: 2, stdout: '' })
  alone.remove()
})

test('sinks continue after the daemon was started again, with their secret', async () => {
  const server = await WebhookServer.listen()
  const file = join(secsctl.home, 'again.key')
  writeFileSync(file, SECRET)
  await json(`sinks add mes --webhook ${server.url} --secret-file ${file}`)
  const { port } = new URL(daemon.url)
  await daemon.stop()
  daemon = await startDaemonHere(data, { allowLocalSinks: true, port: Number(port) })
  expect(await json('sinks show mes')).toMatchObject({ signed: true, state: 'active' })
  await someEvents()
  await until(() => server.calls.length > 0)
  for (const { headers } of server.calls) expect(headers['webhook-signature']).toMatch(/^v1,/)
  await json('sinks remove mes --yes')
})
