// How the page of events keeps up with a flood, and whether its memory grows: a part of bench/web.ts. The stream is made
// by this process, so that the page is measured and not a gateway; the samples in it are events of a real one.
import { loadavg } from 'node:os'
import type { Event } from '../src/contract/topics/events.js'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import { until } from '../test/support/until.js'
import { EventFlood } from '../test/system/event-flood.js'
import type { WebSite } from '../test/system/web-site.js'

const SAMPLES = 200
const MIB = 2 ** 20
/** Rows that are filled once are full. */
const WARM_MS = 5000

/** `rate` events a second on the page of events, for so many seconds. */
export async function benchEvents(site: WebSite, key: string, rate: number, seconds: number): Promise<void> {
  const samples = await until(async () => {
    const { items } = await site.list<Event>(`/events?limit=${SAMPLES}`)
    return items.length === SAMPLES && items
  }, 60_000)
  const flood = await EventFlood.before(site.port, samples)
  try {
    await measure(site, flood, key, rate, seconds)
  } finally {
    flood.close()
  }
}

async function measure(
  site: WebSite,
  flood: EventFlood,
  key: string,
  rate: number,
  seconds: number,
): Promise<void> {
  const context = await site.browser.newContext({ viewport: { width: 1280, height: 720 } })
  const page = await context.newPage()
  const types = 'type=connection&type=state&type=alarm&type=message'
  await page.goto(`${flood.url}/events?${types}#key=${key}`)
  await page.locator('.event').first().waitFor()
  const inside = await context.newCDPSession(page)
  // Time of the processor, and not of the wall: other programs do not count.
  await inside.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taken = async (): Promise<number> => {
    const { metrics } = await inside.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const heap = async (): Promise<number> => {
    await inside.send('HeapProfiler.collectGarbage')
    return (await inside.send('Runtime.getHeapUsage')).usedSize / MIB
  }
  flood.rate = rate
  await delay(clock, WARM_MS)
  const heaps = [await heap()]
  await page.evaluate(
    'window.gaps = []; let last = performance.now(); requestAnimationFrame(function next(now) { gaps.push(now - last); last = now; requestAnimationFrame(next) })',
  )
  const [began, before] = [clock.now(), await taken()]
  for (let part = 1; part <= 4; part++) {
    await delay(clock, (seconds * 1000) / 4)
    heaps.push(await heap())
  }
  const [passed, used] = [(clock.now() - began) / 1000, (await taken()) - before]
  const gaps = (await page.evaluate<number[]>('gaps')).sort((a, b) => a - b)
  const shown = await page.locator('.event').first().getAttribute('data-id')
  const at = (part: number): string => `${gaps[Math.floor((gaps.length - 1) * part)]?.toFixed(0)} ms`
  console.log(
    `page of events            ${rate} events/s for ${passed.toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log(`frames                    ${(gaps.length / passed).toFixed(1)}/s; the aim is 50`)
  console.log(`from frame to frame       median ${at(0.5)}, 99 % ${at(0.99)}, longest ${at(1)}`)
  console.log(`thread of the page        ${((used / passed) * 100).toFixed(1)} % of a core`)
  console.log(`rows in the document      ${await page.locator('.event').count()}`)
  console.log(`events behind             ${Number(flood.last) - Number(shown)}`)
  console.log(`JS heap                   ${heaps.map((one) => one.toFixed(1)).join(' ')} MiB`)
  await context.close()
}
