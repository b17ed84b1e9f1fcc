// What the wall costs its browser and the daemon, and whether its memory grows: `npm run bench:web -- [--minutes 60]
// [--tools 1000] [--rate 200]`. Needs Debian's Chromium. The daemon, the fleet and the browser are processes of their own.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import { until } from '../test/support/until.js'
import { WebSite } from '../test/system/web-site.js'
import { median } from './rate.js'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    tools: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '200' },
    /** Seconds of a look at the daemon without a page. */
    without: { type: 'string', default: '60' },
  },
})
const [tools, minutes, without] = [Number(values.tools), Number(values.minutes), Number(values.without)]
/** Clock ticks of the kernel in a second. */
const TICKS = 100
const PAINTS = 5
const MIB = 2 ** 20

interface Renderers {
  readonly processInfo: readonly { readonly type: string; readonly id: number; readonly cpuTime: number }[]
}

const site = await WebSite.start({ tools, rate: Number(values.rate) })
try {
  await measure()
} finally {
  await site.close()
}

async function measure(): Promise<void> {
  const { key } = await site.call<{ key: string }>('POST', '/keys', {
    ...{ name: 'bench', role: 'viewer', expires_at: null },
  })
  // What follows the start of a fleet is over.
  await delay(clock, 20_000)
  const before = await share(() => delay(clock, without * 1000))
  console.log(`daemon without a page     ${percent(before)}`)

  const paints: number[] = []
  const loads: number[] = []
  const bytes: number[] = []
  for (let at = 0; at < PAINTS; at++) {
    const context = await site.browser.newContext({ viewport: { width: 1920, height: 1080 } })
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    let received = 0
    network.on('Network.dataReceived', ({ encodedDataLength }) => {
      received += encodedDataLength
    })
    await network.send('Network.enable')
    const began = clock.now()
    await page.goto(`${site.url}/#key=${key}`)
    await until(async () => (await page.locator('.tile').count()) === tools, 60_000)
    loads.push(clock.now() - began)
    bytes.push(received / 1024)
    paints.push(
      (await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")) as number,
    )
    await context.close()
  }
  console.log(
    `first paint               ${Math.round(median(paints))} ms (${paints.map(Math.round).join(', ')})`,
  )
  console.log(
    `all tiles                 ${Math.round(median(loads))} ms (${loads.map(Math.round).join(', ')})`,
  )

  console.log(`received until then       ${Math.round(median(bytes))} KiB, as compressed`)

  const context = await site.browser.newContext({ viewport: { width: 1920, height: 1080 } })
  const page = await context.newPage()
  await page.goto(`${site.url}/#key=${key}`)
  await until(async () => (await page.locator('.tile').count()) === tools, 60_000)
  // What fills once, such as the bars of a tile, is full.
  await delay(clock, 30_000)
  const system = await site.browser.newBrowserCDPSession()
  const inside = await context.newCDPSession(page)
  /** Seconds of a processor: of the page's process, and of all of the browser. */
  const browserTime = async (): Promise<readonly [page: number, all: number]> => {
    const { processInfo } = (await system.send('SystemInfo.getProcessInfo')) as Renderers
    const sum = (rows: Renderers['processInfo']) => rows.reduce((total, { cpuTime }) => total + cpuTime, 0)
    return [sum(processInfo.filter(({ type }) => type === 'renderer')), sum(processInfo)]
  }
  /** Bytes of scripts after a collection. */
  const heap = async (): Promise<number> => {
    await inside.send('HeapProfiler.collectGarbage')
    const { usedSize } = await inside.send('Runtime.getHeapUsage')
    return usedSize / MIB
  }
  const heaps = [await heap()]
  const [own, all] = await browserTime()
  const first = await newest()
  const began = clock.now()
  const during = await share(async () => {
    for (let minute = 0; minute < minutes; minute++) {
      await delay(clock, 60_000)
      heaps.push(await heap())
      console.log(
        `heap after ${minute + 1} min: ${heaps.at(-1)?.toFixed(2)} MiB, load ${loadavg()[0]?.toFixed(1)}`,
      )
    }
  })
  const seconds = (clock.now() - began) / 1000
  const [ownAfter, allAfter] = await browserTime()
  const events = ((await newest()) - first) / seconds
  const isLive = await page.locator('.phase-live').count()
  await context.close()
  const after = await share(() => delay(clock, without * 1000))

  console.log(
    `\n${tools} tools, ${events.toFixed(0)} events/s, ${minutes} min${isLive ? '' : ', NOT LIVE AT THE END'}`,
  )
  console.log(`process of the page       ${percent((ownAfter - own) / seconds)} of a core`)
  console.log(`all of the browser        ${percent((allAfter - all) / seconds)} of a core`)
  console.log(`daemon with the page      ${percent(during)} of a core`)
  console.log(`daemon without, then      ${percent(before)}, ${percent(after)}`)
  console.log(`JS heap                   ${heaps.map((one) => one.toFixed(2)).join(' ')} MiB`)
}

/** Part of a core that the daemon takes meanwhile. */
async function share(meanwhile: () => Promise<unknown>): Promise<number> {
  const processor = (): number => {
    const fields = readFileSync(`/proc/${site.daemonId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  }
  const [began, taken] = [clock.now(), processor()]
  await meanwhile()
  return (processor() - taken) / ((clock.now() - began) / 1000)
}

/** The number of the newest event: numbers rise by one. */
async function newest(): Promise<number> {
  const { items } = await site.list<{ id: string }>('/events?limit=1')
  return Number(items[0]?.id)
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
