import { expect, test } from 'vitest'
import { Decisions } from '../../../../src/gateway/decisions.js'
import type { StartedEquipment } from '../../../../src/gateway/equipment/equipment-directory.js'
import type { Asking } from '../../../../src/gateway/services/asking.js'
import type { Naming } from '../../../../src/gateway/services/naming.js'
import { KeptReports, type KeptReportsWorld } from '../../../../src/gateway/services/reports/kept-reports.js'
import type { ReportChanges } from '../../../../src/gateway/services/reports/report-changes.js'
import { ReportsMaintenance } from '../../../../src/gateway/services/reports/reports-maintenance.js'
import { Signal } from '../../../../src/kit/signal.js'
import { StoreUnavailable } from '../../../../src/store/failure.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { MemoryJournal } from '../../../support/memory-store.js'

/** The result of the maintenance of reports where reading them fails with this. */
async function maintenanceWith(failure: Error): Promise<unknown> {
  const started = new Signal<StartedEquipment>()
  const collection = { get: () => Promise.reject(failure) }
  const decisions = new Decisions(new MemoryJournal(), new ManualClock())
  const kept = new KeptReports({ collection, decisions } as unknown as KeptReportsWorld)
  const maintenance = new ReportsMaintenance(kept, {} as ReportChanges, {} as Asking, {} as Naming)
  maintenance.watch({ started, removed: new Signal<string>() }, new Signal())
  const works: Promise<unknown>[] = []
  started.emit({ equipmentId: 'eq_1', waitFor: (work) => works.push(work) })
  return Promise.all(works)
}

test('a bug in the maintenance of reports is thrown; a store that fails ends the gateway by itself', async () => {
  await expect(maintenanceWith(new TypeError('no such function'))).rejects.toThrow('no such function')
  await expect(maintenanceWith(new StoreUnavailable('no disk'))).resolves.toEqual([undefined])
})
