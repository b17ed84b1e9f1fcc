import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { WebSite } from './web-site.js'

let site: WebSite

beforeAll(async () => {
  site = await WebSite.start({ tools: 2, rate: 10 })
})
afterAll(() => site.close())

test('one equipment: states, alarms, values, messages, traffic', async () => {
  const { page, errors, origins } = await openPage(site.browser)
  await site.logIn(page)
  await page
    .getByRole('link', { name: /etcher-0*1\b/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: /etcher/ }).waitFor()

  const lane = page.getByRole('img', { name: /^Connection: SELECTED since/ })
  await lane.waitFor()
  await page.getByRole('img', { name: /^Control: ONLINE_/ }).waitFor()

  // A message arrives, and shows its SML.
  const row = page.locator('.event-message').first()
  await row.waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await row.locator('summary').click()
  await expect.poll(() => row.locator('pre').textContent()).toMatch(/S\d+F\d+|<L|<A/)

  // Numbers in reports are drawn.
  await page.locator('.chart canvas').first().waitFor()
  await page
    .getByRole('button', { name: /^Zoom in/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /^Whole time/ })
    .first()
    .click()

  // Alarms can be acknowledged here. The simulated equipment sets and clears 4001 by itself.
  await site.tell('etcher-* alarm 4003 set')
  await page
    .getByText(/ALID 4003/)
    .first()
    .waitFor()
  const button = page.getByRole('button', { name: /^Acknowledge \d+ alarm/ })
  await button.click()
  await page.getByLabel('Comment (optional)').fill('looked at')
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText(/^\d+ alarms? acknowledged\.$/).waitFor()
  await page.getByText('looked at').first().waitFor()

  await page.getByRole('button', { name: 'Explain T3' }).click()
  await page.getByText(/secsctl equipment update EQ --timer t3/).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()

  expect(await axeFindings(page)).toEqual([])
  expect(errors).toEqual([])
  expect([...origins]).toEqual([site.url])
})

test('a change of state is drawn when it happens, and the page fits a narrow screen', async () => {
  const { items } = await site.list<{ id: string; name: string }>('/equipment')
  const { id, name } = items[1] ?? { id: '', name: '' }
  const { page } = await openPage(site.browser, { viewport: { width: 320, height: 700 } })
  await site.logIn(page, `/equipment/${name}?hours=1`)
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  expect(await page.getByRole('radio', { name: '1 hour' }).isChecked()).toBe(true)
  await page.locator('.chart canvas').first().waitFor()
  await site.call('POST', `/equipment/${id}/disconnect`, {})
  await page.getByRole('img', { name: /^Connection: NOT_CONNECTED since/ }).waitFor()
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(320)
  const marks = await page.locator('.lane-axis .lane-bar span:visible').all()
  const boxes = await Promise.all(marks.map((mark) => mark.boundingBox()))
  for (const [at, box] of boxes.slice(1).entries())
    expect(box?.x).toBeGreaterThanOrEqual((boxes[at]?.x ?? 0) + (boxes[at]?.width ?? 0))
  await until(async () => (await axeFindings(page)).length === 0)
  await page.goto(`${site.url}/equipment/nobody`)
  await page.getByText('There is no equipment nobody').waitFor()
})

test('a chart takes new values without being drawn anew, so that its zoom stays', async () => {
  const { items } = await site.list<{ name: string }>('/equipment')
  const { page } = await openPage(site.browser)
  const reads: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/variables/history')) reads.push(url)
  })
  await site.logIn(page, `/equipment/${items[0]?.name}?hours=1`)
  const chart = page.locator('.chart').first()
  await chart.locator('canvas').waitFor()
  const whole = page.getByRole('button', { name: 'Whole time: Values' })
  await page.getByRole('button', { name: 'Zoom in: Values' }).click()
  await page.evaluate('document.querySelector(".chart canvas").dataset.seen = "yes"')
  const count = async (): Promise<number> => {
    const text = await chart.locator('.muted').textContent()
    return Number(/([\d,]+) values?/.exec(text ?? '')?.[1]?.replace(',', ''))
  }
  const [before, began] = [await count(), Date.now()]
  const earlier = reads.length
  await until(async () => (await count()) > before)
  expect(await chart.locator('canvas').getAttribute('data-seen')).toBe('yes')
  expect(await whole.getAttribute('aria-disabled')).toBe('false')
  // What is read again is one variable each, from its newest value on.
  expect(reads.length).toBeGreaterThan(earlier)
  for (const { searchParams } of reads.slice(earlier)) {
    expect(searchParams.getAll('id')).toHaveLength(1)
    expect(Date.parse(searchParams.get('from') ?? '')).toBeGreaterThan(began - 60_000)
  }
})

test('nothing is known of the time in which the gateway did not run, and equipment that is deleted is said to be gone', async () => {
  const { page } = await openPage(site.browser)
  await site.logIn(page)
  const tool = (await site.list<{ id: string; name: string }>('/equipment')).items[0]
  await site.stopDaemon('SIGKILL')
  await site.startDaemon()
  await site.untilCommunicating(1)
  await page.goto(`${site.url}/equipment/${tool?.id}?hours=1`)
  for (const lane of ['Connection', 'Communication', 'Control'])
    await page
      .getByRole('img', { name: new RegExp(`^${lane}: `) })
      .locator('[title^="UNKNOWN, "]')
      .first()
      .waitFor()
  await site.call('POST', `/equipment/${tool?.id}/disconnect`)
  await site.call('DELETE', `/equipment/${tool?.id}`)
  await page.getByRole('heading', { name: `There is no equipment ${tool?.id}` }).waitFor()
})
