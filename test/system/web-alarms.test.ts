import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Alarm, AlarmSummary } from '../../src/contract/topics/alarms.js'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { WebSite } from './web-site.js'

const TOOLS = 125
const STORM = 4 * TOOLS

let site: WebSite

beforeAll(async () => {
  site = await WebSite.start({ tools: TOOLS })
})
afterAll(() => site.close())

const openAlarms = async (): Promise<Alarm[]> =>
  (await site.list<Alarm>('/alarms?acknowledged=false&limit=1000')).items

test('a storm of 500 alarms is shown as it comes, acknowledged together, and counted', async () => {
  const wall = await openPage(site.browser)
  await site.logIn(wall.page)
  await until(async () => (await wall.page.locator('.tile').count()) === TOOLS)
  const { page, errors } = await openPage(site.browser)
  // Of seven days: at midnight those of today become none.
  await site.logIn(page, '/alarms?pareto=week')
  await page.getByText('No alarm is open.').waitFor()

  await site.tell(...[4001, 4002, 4003, 4004].map((alid) => `etcher-* alarm ${alid} set`))
  await page.getByText(`${STORM} alarms, ${STORM} not acknowledged`).waitFor()
  expect(await openAlarms()).toHaveLength(STORM)
  // The page stays quick: it renders a part of the list.
  expect(await page.locator('tbody tr').count()).toBeLessThan(STORM)
  await page.locator('.pareto li').nth(3).waitFor()
  await expect
    .poll(() => page.locator('.bar-count').allTextContents())
    .toEqual([25, 50, 75, 100].map((share) => `${TOOLS} ${share} %`))
  await until(async () => (await wall.page.locator('.tile.state-alarm').count()) === TOOLS)
  expect(await axeFindings(page)).toEqual([])

  await page.getByLabel('Search alarms').fill('Chamber pressure')
  await page.getByText(`${TOOLS} alarms, ${TOOLS} not acknowledged`).waitFor()
  await page.getByLabel(`Select all ${TOOLS}`).check()
  await page.getByRole('button', { name: `Acknowledge ${TOOLS} alarms` }).click()
  await page.getByLabel('Comment').fill('Pump exchanged')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await page.getByText(`${TOOLS} alarms acknowledged.`).waitFor()
  const { items } = await site.list<Alarm>('/alarms?active=true&limit=1000')
  const pressure = items.filter(({ alid }) => alid === '4001')
  expect(pressure).toHaveLength(TOOLS)
  expect(new Set(pressure.map(({ acknowledged_by, comment }) => `${acknowledged_by}: ${comment}`))).toEqual(
    new Set(['admin@fab.example: Pump exchanged']),
  )
  expect(await openAlarms()).toHaveLength(STORM - TOOLS)
  // What is cleared and acknowledged is no longer open.
  await site.tell('etcher-* alarm 4001 clear')
  await page.getByText('No alarm matches.').waitFor()
  expect([...errors, ...wall.errors]).toEqual([])
})

test('rows stand still while the pointer is over them, and new alarms are counted', async () => {
  const { page } = await openPage(site.browser)
  await site.logIn(page, '/alarms?q=etcher-00')
  const rows = page.locator('tbody tr')
  await rows.nth(3).hover()
  const before = await rows.allTextContents()
  await site.tell('etcher-005 alarm 4001 set')
  await page.getByText('1 new alarm when the pointer leaves the list').waitFor()
  expect(await rows.allTextContents()).toEqual(before)
  await page.mouse.move(5, 5)
  await until(async () => (await rows.first().textContent())?.includes('etcher-005'))
  await site.tell('etcher-005 alarm 4001 clear')
})

test('one alarm is acknowledged by keyboard, and everybody sees it', async () => {
  const { page } = await openPage(site.browser)
  const other = await openPage(site.browser, { colorScheme: 'dark', viewport: { width: 360, height: 740 } })
  await site.logIn(page, '/alarms?q=etcher-001+stop')
  await site.logIn(other.page, '/alarms?q=etcher-001+stop')
  const button = page.getByRole('button', { name: 'Acknowledge etcher-001: Emergency stop pressed' })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.locator('dialog').locator('input:focus, textarea:focus').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  // Whoever changes their mind goes on where they were.
  await page.locator('dialog').waitFor({ state: 'detached' })
  const focused = 'document.activeElement.getAttribute("aria-label")'
  expect(await page.evaluate(focused)).toBe('Acknowledge etcher-001: Emergency stop pressed')
  await page.keyboard.press('Enter')
  await page.locator('dialog').locator('input:focus, textarea:focus').waitFor()
  // Another one that is opened before the page is told of the end of this one stays open.
  await page.evaluate(`(async () => {
    document.querySelector('dialog button[type=button]').click()
    for (let step = 0; step < 100; step++) await null
    document.activeElement.click()
    await new Promise((resolve) => setTimeout(resolve, 100))
  })()`)
  // The dialog opens with the cursor in its comment.
  await page.locator('dialog').locator('input:focus, textarea:focus').waitFor()
  await page.keyboard.type('Reset by the operator')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('1 alarm acknowledged.').waitFor()
  await other.page.getByText('Reset by the operator').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).first().click(),
  ])
  expect(download.suggestedFilename()).toBe('alarms.csv')
  const text = readFileSync(await download.path(), 'utf8')
  expect(text).toMatch(/^\ufeffid,equipment,alid,text,/)
  expect(text).toMatch(/etcher-001,.*Emergency stop pressed.*Reset by the operator,,,\r\n/)
  expect(await axeFindings(other.page)).toEqual([])
  expect(await other.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

test('alarms are filtered and sorted by severity, and repeats of one are one row', async () => {
  const { page, errors } = await openPage(site.browser, { viewport: { width: 1280, height: 720 } })
  await site.logIn(page, '/alarms?q=etcher-003')
  // Rows stand still under the pointer, which has pressed the button of the login.
  await page.mouse.move(5, 5)
  const rows = page.locator('tbody tr')
  const texts = async () => (await page.locator('.severity').allTextContents()).map((text) => text.trim())
  await until(async () => (await rows.count()) === 3)
  for (let time = 0; time < 4; time++)
    await site.tell('etcher-003 alarm 4001 set', 'etcher-003 alarm 4001 clear')
  await page.locator('.times', { hasText: '×4' }).waitFor()
  expect(await rows.count()).toBe(4)
  await page.getByLabel('Most urgent').check()
  await until(async () => (await texts())[0] === 'Personal safety')
  expect(await texts()).toEqual(['Personal safety', 'Error', 'Error', 'Error'])
  expect(await axeFindings(page)).toEqual([])
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/alarms.png` })
  await page.getByLabel('Severity').selectOption('Personal safety')
  await until(async () => (await rows.count()) === 1)
  expect(new URL(page.url()).search).toBe('?q=etcher-003&sort=severity&severity=personal_safety')
  await page.getByLabel('Severity').selectOption('Every severity')
  await rows.nth(3).getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Acknowledge 4 alarms' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await until(async () => (await rows.count()) === 3)
  expect(errors).toEqual([])
})

test.each(['light', 'dark'] as const)(
  'a tile tells the severity of its alarm, in %s',
  async (colorScheme) => {
    const { page } = await openPage(site.browser, { colorScheme, viewport: { width: 1280, height: 720 } })
    const categories = [1, 2, 3, 4, 7, 64]
    await page.route('**/api/v1/alarms/summary*', async (route) => {
      const response = await route.fetch()
      const { items, ...rest } = (await response.json()) as AlarmSummary
      const changed = items.map((item, at) => ({
        ...item,
        worst: item.worst && { ...item.worst, category: categories[at % categories.length] },
      }))
      await route.fulfill({ response, json: { ...rest, items: changed } })
    })
    await site.logIn(page, '/?size=l')
    await page.locator('.tile.is-minor', { hasText: 'Warning' }).first().waitFor()
    const words = await page.locator('.tile.state-alarm .tile-state strong').allTextContents()
    expect(new Set(words)).toEqual(
      new Set(['Personal safety', 'Equipment safety', 'Warning', 'Alarm', 'Notice']),
    )
    expect(await axeFindings(page)).toEqual([])
    if (process.env['PICTURES'])
      await page.screenshot({ path: `${process.env['PICTURES']}/severity-${colorScheme}.png` })
  },
)

test('an alarm is shelved with a reason, is told apart on each page, and comes back by itself', async () => {
  const name = 'etcher-010'
  const [{ id } = { id: '' }] = (await site.list<{ id: string }>(`/equipment?name=${name}`)).items
  const wall = await openPage(site.browser, { viewport: { width: 1280, height: 720 } })
  await site.logIn(wall.page, `/?q=${name}&size=l`)
  const tile = wall.page.locator('.tile')
  const { page, errors } = await openPage(site.browser, { viewport: { width: 1280, height: 720 } })
  await site.logIn(page, `/alarms?q=${name}`)
  await page.mouse.move(5, 5)
  const rows = page.locator('tbody tr')
  await until(async () => (await rows.count()) === 3)
  const dialog = page.getByRole('dialog')
  const shelve = async (text: string) => {
    await page.getByRole('button', { name: `Shelve ${name}: ${text}`, exact: true }).click()
    await dialog.getByLabel('Reason').fill('sensor is exchanged')
    expect(await axeFindings(page)).toEqual([])
  }
  await shelve('RF reflected power high')
  await dialog.getByLabel('How long').selectOption('8 hours')
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/shelf-dialog.png` })
  await dialog.getByRole('button', { name: 'Shelve' }).click()
  await until(async () => (await rows.count()) === 2)
  // That of personal safety only where it is confirmed.
  await shelve('Emergency stop pressed')
  await dialog.getByRole('button', { name: 'Shelve' }).click()
  expect(await dialog.isVisible()).toBe(true)
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Shelve' }).click()
  await until(async () => (await rows.count()) === 1)
  await tile.locator('.tile-shelved', { hasText: '2 alarms shelved' }).waitFor()
  expect(await tile.getAttribute('class')).toContain('state-alarm')
  // The last one, for a moment: the tile is no alarm any more, and becomes one when the shelf ends.
  const shelveFor = (seconds: number) => {
    const body = { for_seconds: seconds, reason: 'for a moment' }
    return site.call('PUT', `/equipment/${id}/alarms/4003/shelf`, body)
  }
  await shelveFor(600)
  await tile.locator('.tile-shelved', { hasText: '3 alarms shelved' }).waitFor()
  await until(async () => !(await tile.getAttribute('class'))?.includes('state-alarm'))
  expect(await axeFindings(wall.page)).toEqual([])
  if (process.env['PICTURES'])
    await wall.page.screenshot({ path: `${process.env['PICTURES']}/shelf-wall.png` })
  await shelveFor(1)
  await until(async () => (await tile.getAttribute('class'))?.includes('state-alarm'))
  await page.getByLabel('Shelved').check()
  await until(async () => (await rows.count()) === 2)
  await page.getByText('sensor is exchanged').first().waitFor()
  expect(await axeFindings(page)).toEqual([])
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/shelf-list.png` })
  await page.getByRole('button', { name: `Unshelve ${name}: RF reflected power high` }).click()
  await page.mouse.move(5, 5)
  await until(async () => (await rows.count()) === 1)
  await page.goto(`${site.url}/equipment/${name}`)
  await page.getByRole('button', { name: `Unshelve ${name}: Emergency stop pressed` }).click()
  await tile.locator('.tile-shelved').waitFor({ state: 'detached' })
  expect([...errors, ...wall.errors]).toEqual([])
})

test('a viewer reads, and may not acknowledge; an operator may', async () => {
  const password = 'a long enough password'
  for (const role of ['viewer', 'operator'])
    await site.call('POST', '/users', { email: `${role}@fab.example`, name: role, role, password })
  const viewer = await openPage(site.browser)
  await site.logIn(viewer.page, '/alarms', { email: 'viewer@fab.example', password })
  await viewer.page.getByText('Acknowledging needs the role operator.').waitFor()
  await viewer.page.getByText('Emergency stop pressed').first().waitFor()
  expect(await viewer.page.getByRole('checkbox').count()).toBe(0)
  expect(await viewer.page.getByRole('button', { name: /Acknowledge|Shelve/ }).count()).toBe(0)
  const operator = await openPage(site.browser)
  await site.logIn(operator.page, '/alarms', { email: 'operator@fab.example', password })
  await operator.page.getByRole('button', { name: 'Acknowledge etcher' }).first().waitFor()
  // A change that the gateway refuses is said where it was tried.
  await operator.page.getByRole('button', { name: 'Acknowledge etcher' }).first().click()
  const users = await site.list<{ id: string; email: string }>('/users')
  const { id } = users.items.find(({ email }) => email === 'operator@fab.example') ?? { id: '' }
  await site.call('PUT', `/users/${id}`, { role: 'viewer' })
  // The page may learn first that the session has ended; then the dialog is gone before the click.
  const told = operator.page
    .getByText(/This did not work|Your session has ended/)
    .first()
    .waitFor()
  const dialog = operator.page.getByRole('dialog')
  await Promise.any([dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click(), told])
  await told
})
