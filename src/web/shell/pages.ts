import type { ComponentType } from 'preact'
import { Alarms } from '../alarms/alarms.js'
import { Api } from '../api-page/api.js'
import { Events } from '../events/events.js'
import { texts } from '../texts.js'
import { Wall } from '../wall/wall.js'
import { lazyPage } from './lazy-page.js'
import type { PageProps } from './page-props.js'

export interface PageRow {
  /** As `PAGE_PATHS` in src/api/web-page.ts has it, which serves the document there. */
  readonly path: string
  readonly title: string
  /** In the navigation. */
  readonly isListed: boolean
  readonly page: ComponentType<PageProps>
}

const AlarmRates = lazyPage(async () => (await import('../alarm-rates/alarm-rates.js')).AlarmRates)
const Equipment = lazyPage(async () => (await import('../equipment/equipment.js')).Equipment)
const Shift = lazyPage(async () => (await import('../shift/shift.js')).Shift)

/** All pages, in the order of the navigation. */
export const PAGES: readonly PageRow[] = [
  { path: '/', title: texts.pages.wall, isListed: true, page: Wall },
  { path: '/alarms', title: texts.pages.alarms, isListed: true, page: Alarms },
  { path: '/events', title: texts.pages.events, isListed: true, page: Events },
  { path: '/shift', title: texts.pages.shift, isListed: true, page: Shift },
  { path: '/alarm-rates', title: texts.pages.alarmRates, isListed: true, page: AlarmRates },
  { path: '/equipment/:id', title: texts.pages.equipment, isListed: false, page: Equipment },
  { path: '/api', title: texts.pages.api, isListed: true, page: Api },
]
