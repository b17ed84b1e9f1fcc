import type { Catalogue } from '../catalogue/catalogue.js'
import type { Clock } from '../kit/clock.js'
import { Signal } from '../kit/signal.js'
import type { Collection } from '../store/collection.js'
import type { Journal } from '../store/journal.js'
import { type Ownership, SITE_KEY } from '../store/ownership.js'
import type { Position } from '../store/store.js'
import type { OpenTap } from '../tap/observation.js'
import { LocalTap } from '../tap/tcp/local-tap.js'
import type { Accounts } from './accounts/accounts.js'
import type { TrustedTime } from './accounts/revocations.js'
import { RecordedActivity } from './activity.js'
import { JournaledAlarms } from './alarms/alarm-board.js'
import { AlarmOccurrences } from './alarms/alarm-occurrences.js'
import { AlarmShelves } from './alarms/alarm-shelves.js'
import { AlarmShelving } from './alarms/shelving.js'
import { Audit } from './audit/audit.js'
import { Decisions } from './decisions.js'
import { EquipmentIdentities } from './equipment/equipment-identities.js'
import { EquipmentRegistry } from './equipment/registry.js'
import { EquipmentTraffic } from './equipment/traffic.js'
import { JournaledEvents } from './events/event-log.js'
import { GatewayEvents } from './events/gateway-events.js'
import { KeptEntries } from './events/journal-export.js'
import { GatewayLeaseHolder } from './gateway-lease-holder.js'
import { KeptMappings, type MappingRecord } from './gem300/mapping/kept-mappings.js'
import { EquipmentObjects } from './gem300/view/equipment-objects.js'
import { KnownObjects } from './gem300/view/known-objects.js'
import { PushedStates } from './gem300/view/pushed-states.js'
import { QueueHead } from './gem300/view/queue-head.js'
import { Idempotency } from './idempotency/idempotency.js'
import { IdempotencyKeys } from './idempotency/idempotency-keys.js'
import { EquipmentKnowledgeBook } from './knowledge/knowledge-book.js'
import { type HsmsPortOptions, HsmsPorts } from './link/hsms-ports.js'
import { IntakeBudget } from './link/intake.js'
import { LongMessages } from './link/long-messages.js'
import type { ReportedEvent } from './link/session.js'
import { type OwnNode, SiteNodes } from './nodes/site-nodes.js'
import { OpenTransactions } from './outcomes/open-transactions.js'
import { Outcomes } from './outcomes/outcomes.js'
import type { PermittedNetworks } from './records/equipment-address.js'
import { type EquipmentRecord, wholeRecord } from './records/equipment-record.js'
import type { Reading } from './records/reading.js'
import { revived } from './records/recorded-message.js'
import { AwaitedEvents } from './sending/awaited-event.js'
import { JournaledMessages } from './sending/message-log.js'
import { HostCommands } from './sending/remote-commands.js'
import { Asking } from './services/asking.js'
import { RecordedValues } from './services/history/variable-history.js'
import { Naming } from './services/naming.js'
import { KeptReports, type ReportsState } from './services/reports/kept-reports.js'
import { ReportChanges } from './services/reports/report-changes.js'
import { ReportsMaintenance } from './services/reports/reports-maintenance.js'
import type { ReportsRecord } from './services/reports/reports-record.js'
import { ReportsVerification } from './services/reports/reports-verification.js'
import { RunningTraces } from './services/traces/running-traces.js'
import type { SignOn } from './sign-on/sign-on.js'
import { firstNeeded } from './sinks/sink-record.js'
import { type SinkParts, Sinks } from './sinks/sinks.js'
import { throwBug } from './store-problem.js'
import { EquipmentWires } from './wire/wire-log.js'

export interface GatewayParts extends PermittedNetworks, HsmsPortOptions {
  readonly journal: Journal
  /** Reads what other processes have written until now; left out where there are none. */
  readonly catchUp?: () => Promise<void>
  /** How far that is read; left out with it. */
  readonly position?: () => Position
  /** Which equipment, and which duties, are this process's. */
  readonly ownership: Ownership
  /** Who did what: a journal of its own, which is kept longer. */
  readonly audit: Journal
  readonly equipment: Collection<EquipmentRecord>
  /** The event reports that were applied to equipment. */
  readonly reports: Collection<ReportsRecord>
  /** How the GEM 300 of equipment is told, of equipment that has it. */
  readonly gem300: Collection<MappingRecord>
  /** Where events are delivered to. */
  readonly sinks: SinkParts
  readonly accounts: Accounts
  /** Sign-on with the accounts of the company; left out, there is none. */
  readonly signOn?: SignOn | undefined
  readonly clock: Clock
  /** The clock by which idempotency keys of earlier processes expire; the wall clock when left out. */
  readonly trustedTime?: TrustedTime
  /** The messages and items that are used with equipment. */
  readonly catalogue: Catalogue
  /** Bytes of long messages that may be in work at all equipment together; the default when left out. */
  readonly longMessageBytes?: number
  /** What this process is called; left out, it has no name. */
  readonly node?: OwnNode
  /** Makes the line of tapped equipment; left out, it runs in this process. */
  readonly openTap?: OpenTap
  /** It reads and shows, and does nothing else: no links to equipment, no sinks, no duties. */
  readonly standby?: boolean
}

/** Everything that handlers work with. */
export type Gateway = Awaited<ReturnType<typeof openGateway>>

/** The views over the journal, up to date. */
async function openViews(parts: GatewayParts) {
  const { journal, equipment, gem300, sinks, clock, trustedTime, catalogue } = parts
  const open = new OpenTransactions()
  const occurrences = new AlarmOccurrences(() => journal.first)
  const shelves = new AlarmShelves(clock)
  const keys = new IdempotencyKeys(clock, trustedTime)
  const records = new Map((await equipment.all()).map((kept) => [kept.id, wholeRecord(kept)]))
  const identities = new EquipmentIdentities(() => journal.first)
  const knowledge = new EquipmentKnowledgeBook(catalogue, records.values(), (id) => identities.lastNameOf(id))
  const readingOf = (id: string): Reading => knowledge.readingOf(id)
  const traces = new RunningTraces(clock, readingOf)
  const objects = new KnownObjects()
  await journal.attach(
    [open, occurrences, shelves, keys, knowledge, traces, identities, objects],
    revived,
    () => firstNeeded(sinks.collection),
  )
  const mappings = await KeptMappings.open(gem300, (id, variants) => knowledge.readGem300By(id, variants))
  return { open, occurrences, shelves, keys, identities, knowledge, readingOf, traces, objects, mappings }
}

type Views = Awaited<ReturnType<typeof openViews>>

/** What records changes of state: transactions, alarms, idempotency keys, and who did what. */
function recordersOf(parts: GatewayParts, { open, occurrences, shelves, keys, readingOf }: Views) {
  const { journal, clock, ownership } = parts
  const outcomes = new Outcomes(journal, open, { clock, ownership })
  const decisions = new Decisions(journal, clock)
  const nameOf = (id: string): string | null => readingOf(id).name ?? null
  const alarms = new JournaledAlarms(journal, occurrences, clock, decisions, nameOf, shelves)
  const knowledgeOf = (id: string) => readingOf(id).knowledge
  const shelving = new AlarmShelving({
    journal,
    clock,
    shelves,
    occurrences,
    decisions,
    ownership,
    nameOf,
    knowledgeOf,
  })
  const idempotency = new Idempotency(journal, keys, clock, readingOf, ownership)
  const audit = new Audit({
    journal: parts.audit,
    clock,
    nameOf: (id) => nameOf(id) ?? undefined,
    equipmentOf: async (id) => alarms.equipmentOf(id) ?? (await journal.get(Number(id)))?.key,
  })
  return { outcomes, decisions, alarms, shelving, idempotency, audit }
}

/** The sessions with equipment, and what calls send to it. */
function equipmentOf(
  parts: GatewayParts,
  { knowledge, readingOf, objects: known, mappings }: Views,
  { outcomes, decisions, alarms }: ReturnType<typeof recordersOf>,
) {
  const { journal, clock, ownership, catalogue, equipmentNetworks, hsmsHost } = parts
  const time = parts.trustedTime ?? { now: () => clock.date().getTime() }
  const ports = new HsmsPorts({ ...parts, time })
  const reported = new Signal<ReportedEvent>()
  const shared = { journal, clock, knowledge, ownership, reportsStates: new Map<string, ReportsState>() }
  const registry = new EquipmentRegistry(parts.equipment, {
    ...shared,
    equipmentNetworks,
    alarms,
    outcomes,
    catalogue,
    listeners: ports.listeners,
    hsmsHost,
    budget: new IntakeBudget(new LongMessages(clock, parts.longMessageBytes)),
    reported,
    openTap: parts.openTap ?? ((_, settings) => new LocalTap(settings, clock)),
  })
  const messages = new JournaledMessages(journal, outcomes, registry)
  const asking = new Asking(registry)
  const naming = new Naming(asking, knowledge)
  const awaited = new AwaitedEvents({ journal, clock, registry, readingOf })
  const commands = new HostCommands(messages, readingOf, awaited, naming)
  const reports = new KeptReports({ ...shared, decisions, collection: parts.reports })
  const reportChanges = new ReportChanges(asking)
  const maintenance = new ReportsMaintenance(reports, reportChanges, asking, naming, clock)
  maintenance.watch(registry, reported)
  const verification = new ReportsVerification(reports, maintenance, asking, naming, clock)
  verification.watch(registry)
  const objects = new EquipmentObjects({
    journal,
    clock,
    decisions,
    known,
    asking,
    planOf: (id) => ({ mapping: mappings.get(id)?.compiled, knowledge: knowledge.of(id) }),
  })
  // Reports that have to be applied again are there first.
  objects.watch(registry, (id) => maintenance.settled(id))
  const inquire = (id: string): void => {
    const { tap, communication_state } = registry.known(id) ?? {}
    if (tap === null && communication_state === 'COMMUNICATING') objects.inquire(id)
  }
  new PushedStates({ journal, ownership, mappings, objects, readingOf, inquire })
  new QueueHead({ journal, clock, ownership, objects, readingOf })
  const closeReports = (): void => {
    maintenance.close()
    verification.close()
  }
  return {
    ports,
    registry,
    messages,
    commands,
    asking,
    naming,
    reports,
    reportChanges,
    closeReports,
    objects,
  }
}

/** A daemon that is alone. */
const NO_NODE = { name: '', version: '' }

/** What is known of equipment goes when it is removed. */
function forgetWith({ removed }: EquipmentRegistry, { traces, mappings }: Views): void {
  removed.on((equipmentId) => {
    traces.forget((id) => id === equipmentId)
    void mappings.delete(equipmentId).catch(throwBug)
  })
}

/** Before the gateway was opened, equipment may have been removed of which the views still know. */
function forgetUnregistered(registry: EquipmentRegistry, { knowledge, traces, objects }: Views): void {
  for (const view of [knowledge, traces, objects]) view.forget((id) => !registry.isRegistered(id))
}

/** Opens the gateway over a store: rebuilds its views from the journal and takes what this process owns. */
export async function openGateway(parts: GatewayParts) {
  const { journal, ownership, accounts, clock, standby = false, node = NO_NODE } = parts
  const views = await openViews(parts)
  const { open, identities, readingOf, traces, mappings } = views
  await parts.audit.attach([])
  const recorders = recordersOf(parts, views)
  const { alarms, idempotency, audit } = recorders
  const { ports, registry, closeReports, ...services } = equipmentOf(parts, views, recorders)
  forgetWith(registry, views)
  await registry.load()
  forgetUnregistered(registry, views)
  await accounts.keys.write()
  const events = new JournaledEvents(journal, readingOf)
  const ownsSite = (): boolean => ownership.owns(SITE_KEY)
  const seen = { journal, clock, events, readingOf, registry, identities, ownsSite }
  const sinks = new Sinks({ ...parts.sinks, ...seen })
  const taken = { ...parts, ...recorders, open, registry, sinks }
  await ownership.start(standby ? undefined : new GatewayLeaseHolder(taken))
  if (!standby) await ports.forwarded?.start()
  return {
    ...services,
    decisions: recorders.decisions,
    mappings,
    /** Where other daemons write, too: resolves once what they have written until now is known here. */
    catchUp: parts.catchUp,
    position: parts.position,
    clock,
    standby,
    ownership,
    nodes: new SiteNodes(node, ownership, () => registry.allObserved().length, clock),
    equipment: registry,
    identities,
    history: new RecordedValues(journal, readingOf),
    traces,
    alarms,
    shelving: recorders.shelving,
    events,
    gatewayEvents: new GatewayEvents(journal, clock),
    sinks,
    journalExport: new KeptEntries(journal),
    wires: new EquipmentWires(registry),
    traffic: new EquipmentTraffic(registry, ports),
    activity: new RecordedActivity(journal, registry),
    accounts,
    signOn: parts.signOn,
    audit,
    idempotency,
    /** Files of the recorded history in which damage was found. */
    get damagedFiles() {
      return journal.damagedFiles + parts.audit.damagedFiles
    },
    /** True while records reach the disk, and what other processes do is known. */
    get ready() {
      return journal.failure === undefined && ownership.isCurrent
    },
    close: () => {
      closeReports()
      return closed(parts, recorders, registry, ports)
    },
  }
}

/** Ends every session with Separate.req. `enabled` stays as it is in the records. */
async function closed(
  { ownership, accounts, signOn }: GatewayParts,
  { audit, decisions, shelving, outcomes, idempotency }: ReturnType<typeof recordersOf>,
  registry: ReturnType<typeof equipmentOf>['registry'],
  { forwarded }: ReturnType<typeof equipmentOf>['ports'],
): Promise<void> {
  registry.close()
  await forwarded?.close()
  await decisions.idle()
  await ownership.stop()
  audit.close()
  shelving.close()
  outcomes.close()
  idempotency.close()
  await accounts.keys.close()
  await signOn?.close()
}
