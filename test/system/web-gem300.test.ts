import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import type { Gem300Mapping, KnownObject } from '../../src/contract/topics/gem300/mapping.js'
import { systemClock } from '../../src/kit/clock.js'
import type { Model } from '../../src/simulator/model.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { toolModel } from '../simulator/gem300/tool-variants.js'
import { LOOPBACK } from '../support/tcp.js'
import { until } from '../support/until.js'
import { axeFindings, openPage, PLACES } from './chromium.js'
import { WebSite } from './web-site.js'

/** `PICTURES=/tmp/x npx vitest run …` writes what the tests look at. */
const PICTURES = process.env['PICTURES']
/** `WRITE_PICTURES=1` writes the picture of docs/web. */
const IS_WRITTEN = process.env['WRITE_PICTURES'] === '1'
const WIDE = 'document.documentElement.scrollWidth <= window.innerWidth'

let site: WebSite
beforeAll(async () => {
  site = await WebSite.start({ tools: 1 })
})
afterEach(async () => {
  for (const context of site.browser.contexts()) await context.close()
})
afterAll(() => site.close())

/** A simulated tool that is registered, and whose names the gateway knows. */
async function started(name: string, model: Model) {
  const place = { role: 'passive', host: LOOPBACK, port: 0, establishDelay: 100 } as const
  const simulator = new Simulator(model, place, { clock: systemClock })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  const { tool } = simulator
  if (!tool) throw new Error('no tool')
  const given = { name, ip_address: LOOPBACK, port: simulator.port }
  const { id } = await site.call<{ id: string }>('POST', '/equipment', given)
  onTestFinished(async () => {
    await site.call('POST', `/equipment/${id}/disconnect`)
    await site.call('DELETE', `/equipment/${id}`)
  })
  await site.call('POST', `/equipment/${id}/connect?wait=0`)
  await until(
    async () =>
      (await site.call<{ communication_state: string }>('GET', `/equipment/${id}`)).communication_state ===
      'COMMUNICATING',
  )
  // The names of events come last.
  await until(async () => (await proposed(`/equipment/${id}`)).events?.length)
  return { tool, at: `/equipment/${id}` }
}

async function proposed(at: string): Promise<Gem300Mapping> {
  const { file } = await site.call<{ file: string }>('GET', `${at}/gem300/proposal?known=true`)
  return (parse(file) ?? {}) as Gem300Mapping
}

/** Gives the tool the mapping that its names propose, with the reports that it needs. */
async function mapped(at: string): Promise<void> {
  await site.call('PUT', `${at}/gem300`, await proposed(at))
  await site.call('PUT', `${at}/reports`, await site.call<object>('GET', `${at}/gem300/reports`))
}

async function open(width: number, height: number, scheme: 'light' | 'dark', path: string) {
  const opened = await openPage(site.browser, { colorScheme: scheme, viewport: { width, height } })
  await site.logIn(opened.page, path)
  return opened
}

const port = (page: Page, number: number): Locator =>
  page.locator('.port-card', { has: page.getByRole('heading', { name: `Port ${number}`, exact: true }) })
const says = (place: Locator, state: string): Promise<void> =>
  place.getByText(state, { exact: true }).first().waitFor()
const slotsWith = (page: Page, text: string): Promise<number> =>
  page.getByRole('option', { name: new RegExp(text) }).count()

async function picture(page: Page, name: string, panels = ['Load ports', 'Jobs']): Promise<void> {
  if (!PICTURES) return
  for (const panel of panels) {
    const region = page.getByRole('region', { name: panel, exact: true })
    await region.screenshot({ path: `${PICTURES}/${name}-${panel.replace(' ', '-')}.png` })
  }
}

test.each(PLACES)(
  'a lot on the page, %s, %i wide: how the tool is mapped, its port, its slots, its jobs',
  async (scheme, width, height) => {
    const name = `etch300-${scheme}`
    const { tool, at } = await started(name, toolModel('process_time: 3600'))
    const { page, errors } = await open(width, height, scheme, `/equipment/${name}`)
    await page.getByText(`secsctl gem300 map ${name} --propose`).waitFor()
    expect(await page.getByRole('region', { name: 'Load ports' }).count()).toBe(0)

    await mapped(at)
    await says(port(page, 1), 'READY_TO_LOAD')
    await says(port(page, 2), 'NOT_ASSOCIATED')
    tool.load(
      1,
      'FOUP7',
      Array.from({ length: 25 }, (_, slot) => (slot < 4 ? 'CORRECTLY_OCCUPIED' : 'EMPTY')),
    )
    await says(port(page, 1), 'TRANSFER_BLOCKED')
    await says(port(page, 1), 'Carrier FOUP7')
    await says(port(page, 1), 'WAITING_FOR_HOST')
    expect(
      await port(page, 1)
        .getByRole('option', { name: /NOT_READ/ })
        .count(),
    ).toBe(25)
    await site.call('POST', `${at}/carriers`, { command: 'proceed', carrier_id: 'FOUP7', port: 1 })
    await until(async () => (await slotsWith(page, 'CORRECTLY_OCCUPIED')) === 4)
    expect(await slotsWith(page, 'EMPTY')).toBe(21)
    await site.call('POST', `${at}/carriers`, { command: 'proceed', carrier_id: 'FOUP7', port: 1 })
    await says(port(page, 1), 'SLOT_MAP_VERIFICATION_OK')

    for (const job of ['PJ-1', 'PJ-2'])
      await site.call('POST', `${at}/jobs`, {
        ...{ job_id: job, recipe: 'OXIDE-ETCH-01' },
        carriers: [{ carrier_id: 'FOUP7', slots: job === 'PJ-1' ? [1, 2] : [3, 4] }],
      })
    const jobs = page.getByRole('region', { name: 'Jobs', exact: true })
    await says(jobs, 'QUEUED_POOLED')
    await site.call('POST', `${at}/control-jobs`, {
      job_id: 'CJ-1',
      process_jobs: ['PJ-1', 'PJ-2'],
      carriers: ['FOUP7'],
    })
    await says(jobs, 'EXECUTING')
    await says(jobs, 'PROCESSING')
    await says(jobs, 'OXIDE-ETCH-01')
    expect(
      await jobs.getByRole('region', { name: 'Process jobs' }).locator('tbody th').allTextContents(),
    ).toEqual(['PJ-1', 'PJ-2'])
    await page
      .getByRole('option', { name: /IN_PROCESS, AT_WORK, at / })
      .first()
      .waitFor()
    await picture(page, `running-${width}-${scheme}`)
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(WIDE)).toBe(true)
    await page.getByRole('option', { name: /IN_PROCESS, AT_WORK, at Chamber1/ }).click()
    const way = page.getByRole('region', { name: /^Way of FOUP7\.0/ })
    await says(way, 'IN_PROCESS')
    tool.operate('abort')
    await says(jobs, 'ABORTED')
    await says(way, 'ABORTED')
    await until(async () => (await slotsWith(page, 'ABORTED')) === 2)
    await until(() => tool.jobs.running?.id === 'PJ-2')
    tool.operate('abort')
    await says(port(page, 1), 'READY_TO_UNLOAD')
    await page.getByRole('region', { name: 'Performance of modules' }).getByText('ETCH300').waitFor()
    await picture(page, `aborted-${width}-${scheme}`, ['Load ports', 'Jobs', 'Performance of modules'])
    expect(await page.evaluate(WIDE)).toBe(true)

    tool.unload(1)
    await says(port(page, 1), 'No carrier.')
    expect(errors).toEqual([])
  },
)

test('slots are chosen by keys and by the address, and the equipment is asked by the button alone', async () => {
  const name = 'etch300-keys'
  const { tool, at } = await started(name, toolModel())
  await mapped(at)
  const states = ['CORRECTLY_OCCUPIED', 'DOUBLE_SLOTTED', 'CROSS_SLOTTED', 'UNDEFINED', 'NOT_EMPTY'] as const
  tool.load(
    2,
    'FOUP8',
    Array.from({ length: 25 }, (_, slot) => states[slot] ?? 'EMPTY'),
  )
  await site.call('POST', `${at}/carriers`, { command: 'proceed', carrier_id: 'FOUP8', port: 2 })
  const { page, errors } = await open(1280, 720, 'light', `/equipment/${name}`)
  await until(async () => (await slotsWith(page, 'CROSS_SLOTTED')) === 1)
  const asked = async (): Promise<number> =>
    (await site.list(`/messages?equipment_id=${at.slice(11)}&stream=14&function=1&limit=200`)).items.length
  const before = await asked()

  const slots = page.getByRole('listbox', { name: 'Slots of FOUP8' })
  await slots.focus()
  await page.keyboard.press('ArrowUp')
  const chosen = slots.getByRole('option', { selected: true })
  expect(await chosen.textContent()).toContain('Slot 1: CORRECTLY_OCCUPIED')
  await page.keyboard.press('ArrowUp')
  expect(await chosen.textContent()).toContain('Slot 2: DOUBLE_SLOTTED')
  expect(await slots.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
  expect(new URL(page.url()).searchParams.get('slot')).toBe('FOUP8/2')
  await page.keyboard.press('Home')
  expect(await chosen.textContent()).toContain('Slot 25: EMPTY')
  await page.keyboard.press('Escape')
  expect(await chosen.count()).toBe(0)
  await page.goto(`${site.url}/equipment/${name}?slot=FOUP8/3`)
  await page.locator('.slot-chosen').getByText('Slot 3: CROSS_SLOTTED').waitFor()
  await page.getByRole('list', { name: 'Signs of the slots' }).getByText('double slotted').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'wrong-slots')

  // What nobody asked for was not sent.
  expect(await asked()).toBe(before)
  await page.getByRole('button', { name: 'Ask the equipment' }).click()
  await until(async () => (await asked()) > before)
  await page.getByRole('button', { name: 'Ask the equipment', disabled: false }).waitFor()
  expect(errors).toEqual([])
})

test('a lot that is done is ready to be unloaded, and its substrates are processed', async () => {
  const name = 'etch300-done'
  const { tool, at } = await started(name, toolModel())
  await mapped(at)
  const { page, errors } = await open(1280, 720, 'dark', `/equipment/${name}`)
  await says(port(page, 1), 'READY_TO_LOAD')
  const slots = Array.from({ length: 25 }, () => 'CORRECTLY_OCCUPIED' as const)
  await site.call('POST', `${at}/carriers`, {
    command: 'bind',
    carrier_id: 'FOUP9',
    port: 1,
    slot_map: 'o'.repeat(25),
  })
  await page.getByRole('heading', { name: 'Carrier FOUP9' }).waitFor()
  tool.load(1, 'FOUP9', slots)
  await says(port(page, 1), 'SLOT_MAP_VERIFICATION_OK')
  await site.call('POST', `${at}/jobs`, {
    job_id: 'PJ-9',
    recipe: 'OXIDE-ETCH-01',
    carriers: [{ carrier_id: 'FOUP9' }],
  })
  await site.call('POST', `${at}/control-jobs`, {
    job_id: 'CJ-9',
    process_jobs: ['PJ-9'],
    carriers: ['FOUP9'],
  })
  await until(async () => (await slotsWith(page, 'PROCESSED')) === 25)
  await says(port(page, 1), 'CARRIER_COMPLETE')
  await says(port(page, 1), 'READY_TO_UNLOAD')
  await says(page.getByRole('region', { name: 'Jobs', exact: true }), 'COMPLETED')

  const modules = page.getByRole('region', { name: 'Performance of modules' })
  const lane = modules.getByRole('slider', { name: 'States of Chamber1 over time' })
  await lane.focus()
  await page.keyboard.press('End')
  await until(async () => /^Chamber1: (IDLE|BUSY)/.test((await lane.getAttribute('aria-valuetext')) ?? ''))
  const end = await lane.getAttribute('aria-valuenow')
  await page.keyboard.press('ArrowLeft')
  await until(async () => Number(await lane.getAttribute('aria-valuenow')) === Number(end) - 1)
  await picture(page, 'performance', ['Performance of modules'])

  await page.getByRole('option', { name: /Slot 3:/ }).click()
  const way = page.getByRole('region', { name: 'Way of FOUP9.03' })
  await says(way, 'PROCESSED')
  // From its slot through a chamber back to its slot.
  await expect
    .poll(async () => (await way.getByRole('listitem').allTextContents()).join())
    .toMatch(/AT_SOURCE.*→ Chamber[12] .*IN_PROCESS.*PROCESSED.*→ FOUP9\.03 .*AT_DESTINATION/)
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'complete')
  expect(errors).toEqual([])
})

test('equipment that is no 300 mm tool has no panel', async () => {
  const [etcher] = (await site.list<{ id: string; name: string }>('/equipment')).items
  await until(async () => {
    const { items } = await site.list(`/equipment/${etcher?.id}/variables`)
    return items.length > 0
  })
  const { page } = await openPage(site.browser)
  const proposal = page.waitForResponse((response) => response.url().includes('/gem300/proposal'))
  await site.logIn(page, `/equipment/${etcher?.name}`)
  expect(await (await proposal).json()).toMatchObject({ certain: 0 })
  await page.getByRole('region', { name: 'Messages' }).waitFor()
  expect(await page.getByText('gem300 map').count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Load ports' }).count()).toBe(0)
})

const HOSTILE = `<img src=x onerror="document.title=1">\u202e${'W'.repeat(80)}`
const AT = '2026-01-31T08:00:00.000Z'
const object = (
  kind: KnownObject['kind'],
  object_id: string,
  states: Readonly<Record<string, string>>,
  details: Readonly<Record<string, string>> = {},
): KnownObject => ({
  ...{ kind, object_id, details, since: AT },
  states: Object.fromEntries(
    Object.entries(states).map(([name, state]) => [
      name,
      { state, source: 'event', since: AT, message_id: '1', object_has: HOSTILE },
    ]),
  ),
})

/** More than a page shows, with texts that a page can get wrong. */
const MANY: readonly KnownObject[] = [
  ...Array.from({ length: 20 }, (_, at) =>
    object(
      'port',
      String(at + 1),
      { transfer: at === 0 ? 'unknown (5)' : HOSTILE },
      { carrier: `${HOSTILE}${at}` },
    ),
  ),
  ...Array.from({ length: 40 }, (_, at) =>
    object(
      'carrier',
      `${HOSTILE}${at}`,
      { id_status: HOSTILE },
      {
        slot_map: at === 0 ? 'o'.repeat(255) : 'oDX?*!.',
        location: at < 20 ? `LP${at + 1}` : HOSTILE,
      },
    ),
  ),
  ...Array.from({ length: 300 }, (_, at) =>
    object('job', `${HOSTILE}${at}`, { state: 'unknown (5)' }, { recipe: HOSTILE }),
  ),
  ...Array.from({ length: 250 }, (_, at) =>
    object('control_job', `${'C'.repeat(77)}${at}`, { state: 'QUEUED' }),
  ),
  object('substrate', 'W1', { processing: 'constructor' }, { source: `${HOSTILE}0.01`, location: HOSTILE }),
]

test.each(PLACES)(
  'hostile and long texts, unknown numbers and hundreds of jobs keep to their place, %s, %i wide',
  async (scheme, width, height) => {
    const name = `etch300-many-${width}`
    const { at } = await started(name, toolModel())
    await mapped(at)
    const { page, errors } = await openPage(site.browser, {
      colorScheme: scheme,
      viewport: { width, height },
    })
    await page.route(/\/gem300\/objects/, (route) =>
      route.fulfill({ json: { items: MANY, next_cursor: null } }),
    )
    await site.logIn(page, `/equipment/${name}`)
    await says(port(page, 1), 'unknown (5)')
    await page.getByText('and 100 more', { exact: true }).waitFor()
    await page.getByText('and 50 more', { exact: true }).waitFor()
    const jobs = page.getByRole('region', { name: 'Process jobs' })
    expect(await jobs.locator('tbody tr').count()).toBe(200)
    expect(await page.locator('.port-card').count()).toBe(24)
    expect(await page.locator('#app img, #app script').count()).toBe(0)
    expect(await page.title()).toContain(name)
    expect(await page.evaluate(WIDE)).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    await picture(page, `many-${width}-${scheme}`)
    expect(errors).toEqual([])
  },
)

test.runIf(IS_WRITTEN)('the picture of docs/web', async () => {
  const { tool, at } = await started('etch300-01', toolModel('process_time: 5', 'move_time: 0.5'))
  await mapped(at)
  tool.load(
    1,
    'FOUP7',
    Array.from({ length: 25 }, (_, slot) => (slot < 24 ? 'CORRECTLY_OCCUPIED' : 'EMPTY')),
  )
  tool.load(
    2,
    'FOUP8',
    Array.from({ length: 25 }, (_, slot) => (slot === 6 ? 'CROSS_SLOTTED' : 'CORRECTLY_OCCUPIED')),
  )
  const { page } = await open(1280, 900, 'light', '/equipment/etch300-01')
  for (const call of [1, 2]) {
    await site.call('POST', `${at}/carriers`, { command: 'proceed', carrier_id: 'FOUP7', port: 1 })
    await until(async () => (await slotsWith(page, 'CORRECTLY_OCCUPIED')) >= 24 || call === 2)
  }
  await site.call('POST', `${at}/carriers`, { command: 'proceed', carrier_id: 'FOUP8', port: 2 })
  for (const [job, slots] of [
    ['LOT-4711', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ['LOT-4712', [13, 14, 15]],
  ] as const)
    await site.call('POST', `${at}/jobs`, {
      ...{ job_id: job, recipe: 'OXIDE-ETCH-01' },
      carriers: [{ carrier_id: 'FOUP7', slots }],
    })
  await site.call('POST', `${at}/control-jobs`, {
    job_id: 'CJ-17',
    process_jobs: ['LOT-4711', 'LOT-4712'],
    carriers: ['FOUP7'],
  })
  await until(async () => (await slotsWith(page, 'PROCESSED')) >= 5, 120_000)
  await page.getByRole('region', { name: 'Load ports' }).screenshot({ path: 'docs/web/gem300-light.png' })
})
