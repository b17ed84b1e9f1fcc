import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { FakeGateway, problem } from '../support/fake-gateway.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
const etcher = sampleEquipment({ labels: { area: 'etch' } })
const coater = sampleEquipment({ id: 'eq_coater0000', name: 'coater', port: 5001 })
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher, coater], next_cursor: null } }),
  'POST /equipment': ({ body }) =>
    (body as { readonly port: number }).port === 1
      ? {
          status: 400,
          body: {
            ...problem(400, 'invalid_request', 'No.'),
            errors: [{ pointer: '/ip_address', detail: 'cannot be equipment' }],
          },
        }
      : { status: 201, body: sampleEquipment(body as object) },
  [`PUT /equipment/${etcher.id}`]: () => ({ body: etcher }),
  [`PUT /equipment/${coater.id}`]: () => ({
    status: 409,
    body: problem(409, 'equipment_connected', 'coater is SELECTED.'),
  }),
  [`DELETE /equipment/${coater.id}`]: () => ({ status: 204 }),
})
let env: Record<string, string>

beforeAll(async () => {
  env = { SECSCTL_URL: await gateway.listen(), SECSCTL_TOKEN: 'secret' }
})
afterEach(() => void gateway.calls.splice(0))
afterAll(async () => {
  await gateway.close()
  secsctl.remove()
})

const file = join(secsctl.home, 'fab.yaml')
const apply = (text: string, ...args: string[]) => {
  writeFileSync(file, `equipment:\n${text}`)
  return secsctl.run(['equipment', 'apply', '-f', file, ...args], { env })
}
const changed = () =>
  gateway.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)

const NEW = '  - {name: new, ip_address: 10.0.0.9, port: 5009}\n'
const MOVED = '  - {name: etcher, labels: {area: litho}}\n'

test('equipment export prints what equipment apply reads', async () => {
  const { code, stdout } = await secsctl.run(['equipment', 'export'], { env })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^equipment:\n {2}- name: coater\n/)
  expect(stdout).not.toContain('eq_')
  const one = await secsctl.run(['equipment', 'export', 'etcher', '--json'], { env })
  expect(JSON.parse(one.stdout)).toMatchObject({ equipment: [{ name: 'etcher', labels: { area: 'etch' } }] })
  await secsctl.run(['equipment', 'export', '-l', 'area=etch'], { env })
  expect(gateway.calls.at(-1)?.query.get('label_selector')).toBe('area=etch')
})

test('equipment apply prints the difference, and makes it', async () => {
  const { code, stdout, stderr } = await apply(NEW + MOVED)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'add\tnew\t\t\t10.0.0.9:5009\nchange\tetcher\tlabels.area\tetch\tlitho\n',
  })
  expect(stderr).toContain('2 of 2 done: 1 added, 1 changed, 0 removed.')
  expect(changed().sort()).toEqual(['POST /equipment', `PUT /equipment/${etcher.id}`])
  expect(gateway.calls.find(({ method }) => method === 'PUT')?.body).toEqual({ labels: { area: 'litho' } })
})

test('equipment apply --dry-run changes nothing', async () => {
  expect(await apply(NEW + MOVED, '--dry-run', '--prune')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('remove\tcoater'),
    stderr: 'Nothing was changed. 1 added, 1 changed, 1 removed would be.\n',
  })
  const json = await apply(NEW, '--dry-run', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject([{ change: 'add', equipment: 'new', applied: false }])
  expect(await apply('  - {name: new}\n', '--dry-run')).toMatchObject({ code: 2, stdout: '' })
  expect(changed()).toEqual([])
})

test('equipment apply --prune removes only when it may', async () => {
  expect(await apply(MOVED, '--prune')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Remove 1 equipment not in'),
  })
  writeFileSync(file, 'equipment: []')
  const empty = await secsctl.run(['equipment', 'apply', '-f', file, '--prune', '--yes'], { env })
  expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('would remove everything') })
  expect(changed()).toEqual([])
  expect(await apply(MOVED, '--prune', '--yes')).toMatchObject({ code: 0 })
  expect(changed()).toEqual([`PUT /equipment/${etcher.id}`, `DELETE /equipment/${coater.id}`])
})

test('equipment apply goes on after a refusal, removes nothing then, and ends with the highest code', async () => {
  const bad = '  - {name: bad, ip_address: 0.0.0.0, port: 1}\n  - {name: coater, port: 5002}\n'
  const { code, stdout, stderr } = await apply(bad + NEW, '--prune', '--yes', '--json')
  expect(code).toBe(5)
  expect(JSON.parse(stdout).map(({ applied }: { readonly applied: boolean }) => applied)).toEqual([
    ...[false, false, true],
    false,
  ])
  const { detail } = JSON.parse(stderr)
  expect(detail).toContain('fab.yaml:2:29: equipment.0.ip_address: cannot be equipment')
  expect(detail).toContain('coater: coater is SELECTED.')
  expect(changed()).not.toContain(`DELETE /equipment/${coater.id}`)
})
