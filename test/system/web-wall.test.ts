import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { WebSite } from './web-site.js'

const TOOLS = 200

let site: WebSite

beforeAll(async () => {
  site = await WebSite.start({ tools: TOOLS, rate: 20 })
  const { items } = await site.list<{ id: string; name: string }>('/equipment')
  for (const [at, { id }] of items.entries())
    await site.call('PUT', `/equipment/${id}`, { labels: { bay: String(1 + (at % 5)) } })
})
afterAll(() => site.close())

test('a user logs in and sees all equipment, and nothing is loaded from elsewhere', async () => {
  const { page, errors, origins } = await openPage(site.browser)
  await page.goto(site.url)
  await page.getByLabel('Email', { exact: true }).fill('admin@fab.example')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('The email or the password is wrong.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await site.logIn(page)
  await until(async () => (await page.locator('.tile').count()) === TOOLS)
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toHaveLength(5)
  await until(async () => (await page.locator('.tile.state-remote').count()) > TOOLS / 2)
  // Values of reports, and traffic, arrive.
  await page.locator('.tile-job', { hasText: 'OXIDE-ETCH-01' }).first().waitFor()
  await page.getByLabel('Search equipment').fill('etcher-001')
  await until(async () => (await page.locator('.tile').count()) === 1)
  expect(new URL(page.url()).search).toBe('?q=etcher-001')
  await page.reload()
  await until(async () => (await page.locator('.tile').count()) === 1)
  await page.getByLabel('Search equipment').fill('no such tool')
  await page.getByText('No equipment matches.').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await until(async () => (await page.locator('.tile').count()) === TOOLS)
  await page.getByLabel('Group by').selectOption('')
  await until(async () => (await page.locator('.group').count()) === 1)
  expect([...origins]).toEqual([site.url])
  expect(errors).toEqual([])
  expect(await page.evaluate('localStorage.length')).toBe(0)
})

test.each(['light', 'dark'] as const)('the wall in %s has no findings of axe', async (colorScheme) => {
  const { page } = await openPage(site.browser, { colorScheme })
  await site.logIn(page)
  await until(async () => (await page.locator('.tile').count()) === TOOLS)
  expect(await axeFindings(page)).toEqual([])
})

test('a tool that is killed is grey and says so within three seconds', async () => {
  const port = await freePort()
  const victim = site.run('simulator', 'run', 'minimal', '--port', String(port), '--quiet')
  const { id } = await site.call<{ id: string }>('POST', '/equipment', {
    ...{ name: 'victim', ip_address: '127.0.0.1', port, mode: 'passive' },
  })
  const { page } = await openPage(site.browser)
  await site.logIn(page, '/?q=victim')
  await page.locator('.state-disabled', { hasText: 'victim' }).waitFor()
  // It may not listen yet, which is a 504.
  const connected = () => site.call('POST', `/equipment/${id}/connect?wait=2`)
  await until(() =>
    connected().then(
      () => true,
      () => false,
    ),
  )
  const tile = page.locator('.tile', { hasText: 'victim' })
  await until(async () =>
    /state-(remote|online|local|offline)/.test((await tile.getAttribute('class')) ?? ''),
  )
  victim.kill('SIGKILL')
  await page.locator('.tile.state-disconnected', { hasText: 'victim' }).waitFor()
  expect(await tile.textContent()).toMatch(/No connection.*silent for \d+ s/)
  await site.call('DELETE', `/equipment/${id}`)
})

test('a wall screen opens with a key in its address, shows its bay alone, and keeps the key out of sight', async () => {
  const { key } = await site.call<{ key: string }>('POST', '/keys', {
    ...{ name: 'screen-1', role: 'viewer', label_selector: 'bay in (3,4)', expires_at: null },
  })
  const { page, errors } = await openPage(site.browser, { viewport: { width: 1920, height: 1080 } })
  await page.goto(`${site.url}/?wall=bay%3D3#key=${key}`)
  await until(async () => (await page.locator('.tile').count()) === TOOLS / 5)
  expect(page.url()).toBe(`${site.url}/?wall=bay%3D3`)
  expect(await page.getByRole('navigation').count()).toBe(0)
  // All of it is on the screen.
  await until(() => page.evaluate<boolean>('document.documentElement.scrollHeight <= innerHeight'))
  const last = await page.locator('.tile').last().boundingBox()
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(1080)
  expect(await axeFindings(page)).toEqual([])
  expect(errors).toEqual([])
  await page.reload()
  await until(async () => (await page.locator('.tile').count()) === TOOLS / 5)
  await site.call('DELETE', `/keys/${(await site.list<{ id: string }>('/keys')).items[0]?.id}`)
  // A key that is revoked ends the screen at once.
  await page.getByText('Your session has ended.').waitFor()
})

test('a wall screen that starts before its gateway is ready asks again until it is', async () => {
  const { key } = await site.call<{ key: string }>('POST', '/keys', {
    ...{ name: 'screen-early', role: 'viewer', expires_at: null },
  })
  const { page } = await openPage(site.browser)
  let refused = 0
  await page.route('**/api/v1/keys/me', async (route) => {
    if (refused++ < 2) await route.fulfill({ status: 503, body: '{}' })
    else await route.continue()
  })
  await page.goto(`${site.url}/?wall=bay%3D3#key=${key}`)
  await until(async () => (await page.locator('.tile').count()) === TOOLS / 5)
  expect(refused).toBe(3)
})

test('a wall screen names equipment of which not all active alarms are known', async () => {
  const { key } = await site.call<{ key: string }>('POST', '/keys', {
    ...{ name: 'screen-incomplete', role: 'viewer', expires_at: null },
  })
  const [tool] = (await site.list<{ id: string; name: string }>('/equipment?label_selector=bay%3D3')).items
  const { page } = await openPage(site.browser)
  await page.route('**/api/v1/alarms/summary?**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), incomplete: [tool?.id] } })
  })
  await page.goto(`${site.url}/?wall=bay%3D3#key=${key}`)
  await page.locator('.kiosk-more', { hasText: tool?.name ?? '' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
})

test('a wall screen with a key that is not taken asks for another, and one with a bad selector says why', async () => {
  const { page } = await openPage(site.browser)
  await page.goto(`${site.url}/?wall=(bay#key=secsctl_nothing`)
  await page.getByRole('radio', { name: 'API key' }).check()
  const { key } = await site.call<{ key: string }>('POST', '/keys', {
    ...{ name: 'screen-2', role: 'viewer', expires_at: null },
  })
  await page.locator('input[name=key]').fill('secsctl_wrong')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('The gateway does not accept this API key.').waitFor()
  await page.locator('input[name=key]').fill(key)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText(/cannot be read: position 1/).waitFor()
})

test('every page of the navigation opens at its own address, and by keyboard alone', async () => {
  const { page, errors } = await openPage(site.browser)
  await site.logIn(page)
  const links = await page.getByRole('navigation').getByRole('link').all()
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
  expect(addresses.slice(0, 3)).toEqual(['/', '/alarms', '/events'])
  for (const address of addresses) {
    await page.goto(`${site.url}${address}`)
    await page.locator('nav a[aria-current=page]').waitFor()
  }
  await page.goto(`${site.url}/`)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Alarms', level: 1 }).waitFor()
  expect(await page.evaluate('document.activeElement.id')).toBe('content')
  expect(await page.title()).toBe('Alarms · secsctl')
  await page.goBack()
  await page.getByRole('heading', { name: 'Wall', level: 1 }).waitFor()
  expect(errors).toEqual([])
})
