import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFindings, openPage } from './chromium.js'
import { WebSite } from './web-site.js'

let site: WebSite
let tool: { readonly id: string; readonly name: string }

beforeAll(async () => {
  site = await WebSite.start({ tools: 1 })
  const { items } = await site.list<typeof tool>('/equipment')
  tool = items[0] as typeof tool
})
afterAll(() => site.close())

async function opened(options = {}): Promise<{ page: Page; errors: readonly string[] }> {
  const { page, errors } = await openPage(site.browser, options)
  await site.logIn(page, `/equipment/${tool.name}`)
  await page.getByRole('heading', { level: 2, name: 'Actions' }).waitFor()
  return { page, errors }
}

/** Opens the dialog of an action. */
async function asked(page: Page, action: string) {
  await page.getByRole('button', { name: action, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

const leave = (page: Page): Promise<void> => page.keyboard.press('Escape')

test('a remote command shows its message first, then what the equipment replied; the reason is in the audit', async () => {
  const { page, errors } = await opened()
  const dialog = await asked(page, 'Remote command')
  const send = dialog.getByRole('button', { name: 'Send' })
  expect(await send.isDisabled()).toBe(true)
  await dialog.getByLabel('Command (RCMD)').fill('START')
  await dialog.getByLabel(/^Parameters/).fill('LOTID')
  await dialog.getByText('"LOTID" is not NAME=VALUE').waitFor()
  expect(await send.isDisabled()).toBe(true)
  await dialog.getByLabel(/^Parameters/).fill('LOTID=L1\nPPID=OXIDE-ETCH-01')
  await expect
    .poll(() => dialog.locator('pre').first().textContent())
    .toMatch(/^S2F41 W\n(.*\n)*.*<A "LOTID">/)
  expect(await site.list('/messages?stream=2&function=41')).toMatchObject({ items: [] })
  await dialog.getByLabel(/^Reason/).fill('first lot of the shift')
  expect(await axeFindings(page)).toEqual([])
  await send.click()
  await dialog.getByText('START: HCACK 0').waitFor()
  const { items } = await site.list('/audit?action=sendCommand')
  expect(items).toMatchObject([{ reason: 'first lot of the shift', details: { command: 'START' } }])
  await dialog.getByLabel('Command (RCMD)').fill('NO-SUCH')
  await dialog.getByLabel(/^Parameters/).fill('')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('Refused.').waitFor()
  await leave(page)
  // What was sent before is offered the next time.
  const again = await asked(page, 'Remote command')
  await expect.poll(() => again.locator('datalist option').count()).toBe(2)
  expect(errors).toEqual([])
})

test('variables are read, messages and texts are sent, and faults of SML have their place', async () => {
  const { page } = await opened()
  const reading = await asked(page, 'Read variables')
  await expect.poll(() => reading.locator('datalist option').count()).toBeGreaterThan(3)
  await reading.getByLabel(/^Names or SVIDs/).fill('ChamberPressure, ChuckTemperature')
  await reading.getByRole('button', { name: 'Send' }).click()
  await expect
    .poll(() => reading.locator('.outcome pre').first().textContent())
    .toMatch(/^ChamberPressure {2}[\d.]+ mtorr\n/)
  await leave(page)
  const sending = await asked(page, 'Send a message')
  await sending.getByLabel('Message as SML').fill('S1F3 W <L <U4 1010')
  await expect.poll(() => sending.getByRole('alert').textContent()).toMatch(/line 1/)
  await sending.getByLabel('Message as SML').fill('S1F3 W <L <U4 1010>>.')
  await expect.poll(() => sending.locator('pre').textContent()).toBe('S1F3 W\n<L [1]\n  <U4 1010>\n>.')
  await sending.getByRole('button', { name: 'Send' }).click()
  await sending.getByText('S1F4 Selected Equipment Status Data').waitFor()
  await leave(page)
  const terminal = await asked(page, 'Terminal text')
  await terminal.getByLabel('Text for the operator').fill('Lot L1 is on hold.')
  await expect.poll(() => terminal.locator('pre').textContent()).toContain('Lot L1 is on hold.')
  await terminal.getByRole('button', { name: 'Send' }).click()
  await terminal.getByText('ACKC10: 0').waitFor()
  await leave(page)
  const recipe = await asked(page, 'Select recipe')
  await recipe.getByLabel('Recipe (PPID)').fill('OXIDE-ETCH-01')
  await recipe.getByRole('button', { name: 'Send' }).click()
  await recipe.getByText('PP-SELECT: HCACK').waitFor()
})

test('a reply that refuses is no success, and a lock ends within a day', async () => {
  const { page } = await opened()
  const sending = await asked(page, 'Send a message')
  await sending.getByLabel('Message as SML').fill('S2F41 W <L <A "NO-SUCH"><L>>.')
  await sending.getByRole('button', { name: 'Send' }).click()
  await sending.getByText('Refused.').waitFor()
  await sending.getByText('HCACK 1').waitFor()
  await leave(page)
  const lock = await asked(page, 'Lock')
  await lock.getByLabel('For how many minutes').fill('1441')
  await lock.getByLabel('Why, for those who are refused').fill('pump exchange')
  await lock.getByRole('button', { name: 'Lock', exact: true }).click()
  await lock.getByText('1 to 1440 minutes').waitFor()
})

/** Any characters: a slash in the address, markup on the page. */
const PPID = 'NEW/<b>R7</b>'

test('a recipe is stored from a file and deleted, each with its messages shown first', async () => {
  const { page, errors } = await opened()
  const path = `/equipment/${tool.id}/recipes/${encodeURIComponent(PPID)}`
  const stored = () => site.call<{ body: string; item_format: string }>('GET', path)
  const content = (size: number) => ({
    ...{ name: 'r7.txt', mimeType: 'text/plain', buffer: Buffer.from('STEP 1 POWER 800\n'.repeat(size)) },
  })
  const store = async (size: number) => {
    const dialog = await asked(page, 'Store recipe')
    await dialog.getByLabel('Recipe (PPID)').fill(PPID)
    await dialog.getByLabel('File with the content').setInputFiles(content(size))
    await dialog.getByLabel('Format').selectOption('A')
    await dialog.getByLabel('Read the recipe back').selectOption('yes')
    const preview = dialog.locator('.preview')
    await preview.getByText(`<U4 ${17 * size}>`).waitFor()
    // A long line scrolls in its own place.
    const widths =
      'document.querySelector("dialog").scrollWidth - document.querySelector("dialog").clientWidth'
    expect(await page.evaluate(widths)).toBeLessThanOrEqual(0)
    return dialog
  }
  const first = await store(1)
  expect(await first.locator('.preview pre').textContent()).toMatch(
    /S7F1 W[\s\S]*S7F3 W[\s\S]*"NEW\/<b>R7<\/b>"[\s\S]*STEP 1 POWER 800/,
  )
  expect(await first.getByText('It will be replaced').count()).toBe(0)
  await first.getByLabel(/^Reason/).fill('new recipe of etch')
  expect(await axeFindings(page)).toEqual([])
  await first.getByRole('button', { name: 'Send' }).click()
  await first.getByText(`${PPID}: ACKC7 0`).waitFor()
  await first.getByText('gives back the same content').waitFor()
  await first.locator('.outcome').getByText('S7F4').waitFor()
  expect(await stored()).toMatchObject({ item_format: 'A', body: content(1).buffer.toString('base64') })
  expect((await site.list('/audit?action=storeRecipe')).items).toMatchObject([
    { reason: 'new recipe of etch' },
  ])
  await leave(page)
  // Of a long one the beginning is shown, and all of it is sent; one that is too long for the equipment is refused.
  for (const [size, bytes, result] of [
    [1000, '17,000', `${PPID}: ACKC7 0`],
    [100_000, '1,700,000', `${PPID}: PPGNT 2, no space`],
  ] as const) {
    const dialog = await store(size)
    await dialog.getByText('It will be replaced').waitFor()
    await dialog.getByText(`the first 960 of ${bytes} bytes`).waitFor()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText(result).waitFor()
    expect((await stored()).body).toBe(content(1000).buffer.toString('base64'))
    await leave(page)
  }
  const deleting = await asked(page, 'Delete recipe')
  for (const result of [`${PPID}: ACKC7 0`, `${PPID}: ACKC7 4`]) {
    await deleting.getByLabel('Recipe (PPID)').fill(PPID)
    await deleting.getByText(/^S7F17 W/).waitFor()
    await deleting.getByRole('button', { name: 'Send' }).click()
    await deleting.getByText(result).waitFor()
  }
  await deleting.getByText('Refused.').waitFor()
  expect(errors).toEqual([])
})

test('what a file cannot be is said before anything is sent', async () => {
  const { page } = await opened()
  const dialog = await asked(page, 'Store recipe')
  const file = dialog.getByLabel('File with the content')
  await dialog.getByLabel('Recipe (PPID)').fill('R8')
  await dialog.getByLabel('Format').selectOption('commands')
  for (const [text, said] of [
    ['', 'The file is empty.'],
    ['{', 'no JSON'],
    ['{"commands":[{"ccode":"HEAT","parameters":[{"U4":["x"]}]}]}', 'U4'],
    ['{"commands":[{"ccode":"HEAT","parameters":[{"U4":[900]}]}]}', '<U4 900>'],
  ] as const) {
    await file.setInputFiles({ name: 'r', mimeType: 'text/plain', buffer: Buffer.from(text) })
    await dialog.getByText(said).first().waitFor()
    expect(await dialog.getByRole('button', { name: 'Send' }).isEnabled()).toBe(said.startsWith('<'))
  }
})

test('"Read variables" shows the messages that will be sent', async () => {
  const { page } = await opened()
  const dialog = await asked(page, 'Read variables')
  await dialog.getByText(/^S1F11 W/).waitFor()
  const field = dialog.getByLabel(/^Names or SVIDs/)
  await field.fill('ChamberPressure, 1001')
  await expect.poll(() => dialog.locator('.preview pre').textContent()).toMatch(/^S1F3 W[\s\S]*1001/)
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('2 values').waitFor()
  await field.fill('NoSuchVariable')
  await dialog.getByText('NoSuchVariable is no variable').waitFor()
  expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
})

test('nothing is sent before its own message was shown', async () => {
  const { page } = await opened()
  const texts: string[] = []
  let shown = ''
  await page.route('**/messages/preview', async (route) => {
    shown = JSON.stringify(route.request().postDataJSON())
    await route.continue()
  })
  await page.route('**/terminal', async (route) => {
    texts.push((route.request().postDataJSON() as { text: string }).text)
    expect(shown).toContain(`"${texts.at(-1)}"`)
    await route.continue()
  })
  const terminal = await asked(page, 'Terminal text')
  const text = terminal.getByLabel('Text for the operator')
  await text.fill('AAA')
  await expect.poll(() => terminal.locator('pre').textContent()).toContain('AAA')
  await text.fill('BBB')
  await text.press('Enter')
  await expect.poll(() => terminal.locator('pre').textContent()).toContain('BBB')
  expect(texts).toEqual([])
  await text.press('Enter')
  await terminal.getByText('ACKC10: 0').waitFor()
  expect(texts).toEqual(['BBB'])
})

test('a command whose result was lost is not carried out again by the same button', async () => {
  const { page } = await opened()
  const before = await site.list<{ id: string }>('/messages?stream=2&function=41')
  let isCut = true
  await page.route('**/command', async (route) => {
    if (!isCut) return route.continue()
    isCut = false
    await route.fetch()
    await route.abort()
  })
  const dialog = await asked(page, 'Remote command')
  await dialog.getByLabel('Command (RCMD)').fill('START')
  const send = dialog.getByRole('button', { name: 'Send' })
  await send.click()
  await dialog.getByText('it may have been done').waitFor()
  await send.click()
  await dialog.getByText('START: HCACK').waitFor()
  const after = await site.list<{ id: string }>('/messages?stream=2&function=41')
  expect(after.items.length).toBe(before.items.length + 1)
})

test('a lock of somebody else is seen within seconds, and switches off what it refuses', async () => {
  const { page } = await opened()
  const path = `/equipment/${tool.id}/lock`
  const { key } = await site.call<{ key: string }>('POST', '/keys', {
    ...{ name: 'shift-b', role: 'engineer', expires_at: null },
  })
  await site.call('PUT', path, { for_seconds: 600, reason: 'calibration' }, key)
  await page.getByText('Locked by key:shift-b: calibration').waitFor()
  expect(await page.getByRole('button', { name: 'Remote command', exact: true }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Read variables', exact: true }).isEnabled()).toBe(true)
  // An administrator may break it, with a reason.
  const dialog = await asked(page, 'Unlock')
  await dialog.getByLabel(/^Reason/).fill('shift b has gone home')
  await dialog.getByRole('button', { name: 'Unlock', exact: true }).click()
  await dialog.getByText('Done.').waitFor()
})

test('an open dialog stays with its equipment: the palette does not open over it', async () => {
  const { page } = await opened()
  const dialog = await asked(page, 'Remote command')
  await dialog.getByLabel('Command (RCMD)').fill('START')
  await page.keyboard.press('Control+k')
  await dialog.getByText('This will be sent').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  await leave(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to equipment' }).waitFor()
})

test('what is offered follows the state: lock and unlock, offline and online, disconnect and connect', async () => {
  const { page } = await opened()
  const act = async (action: string, fill: Readonly<Record<string, string>> = {}): Promise<void> => {
    const dialog = await asked(page, action)
    for (const [label, text] of Object.entries(fill)) await dialog.getByLabel(label).fill(text)
    await dialog.getByRole('button', { name: action.startsWith('Go') ? 'Send' : action, exact: true }).click()
    await dialog.getByText('Done.').waitFor()
    await leave(page)
    await page.getByRole('button', { name: action, exact: true }).waitFor({ state: 'detached' })
  }
  await act('Lock', { 'Why, for those who are refused': 'pump exchange' })
  await page.getByText('Locked by admin@fab.example: pump exchange').waitFor()
  await act('Unlock')
  await act('Go offline')
  await act('Go online')
  await act('Disconnect')
  await act('Connect')
  await page.getByRole('button', { name: 'Remote command', exact: true }).waitFor()
})

test('those who only read see no action, and operators none of the engineers', async () => {
  const { page } = await openPage(site.browser)
  for (const [role, has, hasNot] of [
    ['viewer', 'Open alarms', 'Actions'],
    ['operator', 'Actions', 'Send a message'],
  ] as const) {
    const { key } = await site.call<{ key: string }>('POST', '/keys', { name: role, role, expires_at: null })
    await page.goto(`${site.url}/equipment/${tool.name}#key=${key}`)
    await page.getByText(has, { exact: true }).waitFor()
    expect(await page.getByText(hasNot, { exact: true }).count()).toBe(0)
  }
})

test.each([
  [390, 844],
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
])('dialogs fit %i × %i in both schemes', async (width, height) => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const { page } = await opened({ viewport: { width, height }, colorScheme })
    const dialog = await asked(page, 'Remote command')
    await dialog.getByLabel('Command (RCMD)').fill('START')
    await dialog.locator('pre').first().waitFor()
    await expect.poll(() => dialog.locator('pre').first().textContent()).toMatch(/^S2F41/)
    const box = await dialog.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
    expect(await axeFindings(page)).toEqual([])
    const folder = process.env['PICTURES']
    if (folder) await page.screenshot({ path: `${folder}/actions-${width}-${colorScheme}.png` })
    await page.context().close()
  }
})
