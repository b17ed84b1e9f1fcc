import { A, type AbstractSecs2Item, BOOLEAN, L, U1, U2 } from 'secs4js'
import { acknowledged, keyOf } from './event-reports.js'
import { bytes, itemsOf } from './foreign-tool.js'
import { type ControlJob, isOver, type Job, type LotTool, RECIPES } from './lot-tool.js'
import { CHANGES, STATUS, VARIABLES, type Variable } from './lot-tool-names.js'

type Item = AbstractSecs2Item | undefined
type Answer = (body: Item) => Item
type Answers = Readonly<Record<string, Answer>>

const error = (code: number, text: string): AbstractSecs2Item => L(U2(code), A(text))

/** A number in whatever format. */
const numberOf = (item: Item): number => {
  const { value } = item ?? {}
  if (Buffer.isBuffer(value)) return value[0] ?? Number.NaN
  return Array.isArray(value) ? Number(value[0]) : Number(value ?? Number.NaN)
}
const textOf = (item: Item): string => (typeof item?.value === 'string' ? item.value : '')
const isTrue = (item: Item): boolean => item?.value === true || numberOf(item) === 1

/** The attributes of a list of pairs, by name without case. */
const pairsOf = (item: Item): Map<string, Item> =>
  new Map(itemsOf(item).map((pair) => [textOf(itemsOf(pair)[0]).toUpperCase(), itemsOf(pair)[1]]))

export function answersOf(tool: LotTool): Answers {
  return {
    ...basics(tool),
    ...objects(tool),
    ...carriers(tool),
    ...processJobs(tool),
    ...controlJobs(tool),
  }
}

function basics(tool: LotTool): Answers {
  const { make } = tool.settings
  const names = Object.keys(VARIABLES) as Variable[]
  const id = (name: Variable) => tool.numberItem(tool.idOf(names.indexOf(name)))
  const status = make === 0 ? STATUS : names
  const identity = L(A(`STRANGER-${make}`), A('9.1'))
  const carrierNames: readonly Variable[] = [
    'carrier',
    'port',
    'idStatus',
    'slotMapStatus',
    'accessing',
    'slotMap',
  ]
  const usual = (change: string): readonly Variable[] => {
    if (change.startsWith('job')) return ['job', 'jobState']
    if (change.startsWith('control')) return ['controlJob', 'controlState']
    if (change.startsWith('substrate')) return ['substrate', 'transport', 'processing']
    return carrierNames
  }
  return {
    S1F1: () => identity,
    S1F13: () => L(bytes(0), identity),
    S1F15: () => bytes(0),
    S1F17: () => bytes(2),
    S1F3: (body) => {
      const asked = itemsOf(body).map(keyOf)
      const values = tool.values()
      const found = names.filter((name) => status.includes(name))
      if (asked.length === 0) return L(...found.map((name) => values[name]))
      return L(
        ...asked.map((one) => {
          const name = found.find((known) => keyOf(id(known)) === one)
          return name ? values[name] : L()
        }),
      )
    },
    S1F11: () => L(...status.map((name) => L(id(name), A(VARIABLES[name][make]), A('')))),
    ...(make === 0 && {
      S1F21: () =>
        L(
          ...names
            .filter((name) => !status.includes(name))
            .map((name) => L(id(name), A(VARIABLES[name][make]), A(''))),
        ),
    }),
    S1F23: () =>
      L(
        ...Object.entries(CHANGES).map(([change, called], index) =>
          L(tool.numberItem(tool.idOf(index)), A(called[make]), L(...usual(change).map(id))),
        ),
      ),
    S2F33: (body) => tool.events.define(body),
    S2F35: (body) => tool.events.link(body),
    S2F37: (body) => tool.events.enable(body),
    S5F3: () => bytes(0),
    S5F5: () => L(L(bytes(4), U2(9), A('DOOR OPEN'))),
    S5F7: () => L(),
    S7F19: () => L(...RECIPES.map((name) => A(name))),
  }
}

const RELATIONS: readonly ((a: number | string, b: number | string) => boolean)[] = [
  (a, b) => a === b,
  (a, b) => a !== b,
  (a, b) => a < b,
  (a, b) => a <= b,
  (a, b) => a > b,
  (a, b) => a >= b,
]

const plain = (item: Item): number | string => (typeof item?.value === 'string' ? item.value : numberOf(item))

function objects(tool: LotTool): Answers {
  const answer = (found: readonly AbstractSecs2Item[], errors: readonly AbstractSecs2Item[] = []) =>
    L(L(...found), L(U1(errors.length > 0 ? 1 : 0), L(...errors)))
  return {
    S14F1: (body) => {
      const [, typeItem, ids, filters, wanted] = itemsOf(body)
      const type = textOf(typeItem)
      const all = tool.objects(type)
      if (!all) return answer([], [error(6, `${type} is no type of object`)])
      const asked = itemsOf(ids).map(textOf)
      const missing = asked.find((id) => !all.has(id))
      if (missing !== undefined) return answer([], [error(3, `${type} ${missing} not found`)])
      const found: AbstractSecs2Item[] = []
      const unknown = new Set<string>()
      for (const [id, given] of all) {
        if (asked.length > 0 && !asked.includes(id)) continue
        const attributes = Object.entries({ ObjID: A(id), ObjType: A(type), ...given })
        const one = (item: Item) =>
          attributes.find(([name]) => name.toUpperCase() === textOf(item).toUpperCase())
        const fits = itemsOf(filters).every((filter) => {
          const [name, value, relation] = itemsOf(filter)
          return RELATIONS[numberOf(relation)]?.(plain(one(name)?.[1]), plain(value))
        })
        if (!fits) continue
        const names = itemsOf(wanted)
        for (const name of names) if (!one(name)) unknown.add(textOf(name))
        const chosen =
          names.length === 0 ? attributes : names.flatMap((name) => [one(name)].filter((it) => !!it))
        found.push(L(A(id), L(...chosen.map(([name, value]) => L(A(name), value)))))
      }
      return answer(
        found,
        [...unknown].map((name) => error(4, `${name} is no attribute of ${type}`)),
      )
    },
  }
}

function carriers(tool: LotTool): Answers {
  const { make } = tool.settings
  const caack = (code: number, ...errors: AbstractSecs2Item[]) => L(U1(code), L(...errors))
  const done = () => caack(make === 0 ? 0 : 4)

  const proceed = (carrierId: string, given: ReadonlyMap<string, Item>): AbstractSecs2Item => {
    const { carrier } = tool
    if (carrier?.id !== carrierId) return caack(2, error(50, `Carrier ${carrierId} not found`))
    if (carrier.idStatus === 1) {
      if (given.size > 0) return caack(3, error(12, 'No attribute is known with the ID'))
      tool.soon(() => tool.acceptId('carrier 8'))
      return done()
    }
    if (carrier.slotMapStatus !== 1)
      return caack(5, error(17, `Carrier ${carrierId} is not waiting for host`))
    const map = given.get('SLOTMAP')
    if (map) {
      const full = make === 0 ? 3 : 1
      const same = itemsOf(map).map((slot) => numberOf(slot) === full)
      if (same.length !== carrier.slots.length || same.some((has, index) => has !== carrier.slots[index]))
        return caack(3, error(9, 'SlotMap does not match'))
    }
    const content = given.get('CONTENTMAP')
    if (make === 1 && !content) return caack(3, error(13, 'ContentMap required'))
    if (content && itemsOf(content).length !== carrier.slots.length)
      return caack(3, error(12, 'ContentMap length differs from slot count'))
    carrier.content = itemsOf(content)
    tool.soon(() => tool.acceptSlotMap('carrier 15'))
    return done()
  }

  const act = (action: string, carrierId: string, given: ReadonlyMap<string, Item>): AbstractSecs2Item => {
    const { carrier } = tool
    switch (action.toUpperCase()) {
      case 'PROCEEDWITHCARRIER':
        return proceed(carrierId, given)
      case 'BIND':
      case 'CARRIERNOTIFICATION':
        if (carrier?.id === carrierId || tool.announced.has(carrierId))
          return caack(5, error(11, `Carrier ${carrierId} is there`))
        tool.announced.add(carrierId)
        return done()
      case 'CANCELBIND':
      case 'CANCELCARRIERNOTIFICATION':
        return tool.announced.delete(carrierId)
          ? done()
          : caack(2, error(3, `Carrier ${carrierId} not found`))
      case 'CANCELCARRIER':
      case 'CANCELCARRIERATPORT': {
        if (!carrier) return caack(2, error(50, 'No carrier at port 1'))
        if (carrier.accessing === 1) return caack(5, error(17, `Carrier ${carrier.id} is already accessed`))
        const refusal =
          carrier.idStatus === 1
            ? () => tool.setCarrier('carrier 9', { idStatus: 3 })
            : () => tool.setCarrier('carrier 16', { slotMapStatus: 3 })
        tool.soon(async () => {
          await refusal()
          await tool.release()
        })
        return done()
      }
      case 'CARRIERRELEASE':
        if (carrier?.id !== carrierId) return caack(2, error(50, `Carrier ${carrierId} not found`))
        if (carrier.accessing === 1 || tool.port.transfer === 3)
          return caack(5, error(17, 'Port 1 is not ready to unload'))
        tool.soon(() => tool.release())
        return done()
      default:
        return caack(1, error(14, `${action} is not known`))
    }
  }

  const service = (word: string, value: Item): boolean | undefined => {
    const plainWord = word.toUpperCase().replaceAll(' ', '')
    if (make === 1) return plainWord === 'INSERVICE' ? true : plainWord === 'OUTOFSERVICE' ? false : undefined
    if (plainWord !== 'CHANGESERVICESTATUS') return undefined
    return value === undefined ? undefined : numberOf(value) === 1
  }

  return {
    S3F17: (body) => {
      const [, action, carrierId, portItem, given] = itemsOf(body)
      const port = numberOf(portItem)
      if (port > 1) return caack(3, error(48, `PTN ${port} invalid`))
      return act(textOf(action), textOf(carrierId), pairsOf(given))
    },
    S3F25: (body) => {
      const [action, port, given] = itemsOf(body)
      if (numberOf(port) !== 1) return caack(3, error(48, 'PTN invalid'))
      const inService = service(textOf(action), pairsOf(given).get('SERVICESTATUS'))
      if (inService === undefined) return caack(1, error(13, 'ServiceStatus missing'))
      if (tool.carrier) return caack(5, error(15, 'Port 1 is busy'))
      tool.soon(() =>
        tool.change(inService ? 'port 2' : 'port 3', () => {
          tool.port.transfer = inService ? 2 : 0
        }),
      )
      return caack(0)
    },
    S3F27: (body) => {
      const [mode, ports] = itemsOf(body)
      const wrong = itemsOf(ports).filter((port) => numberOf(port) !== 1)
      if (wrong.length > 0)
        return L(U1(3), L(...wrong.map((port) => L(port, U2(48), A(`PTN ${numberOf(port)} invalid`)))))
      const to = numberOf(mode)
      tool.soon(() =>
        tool.change(to === 1 ? 'mode 2' : 'mode 3', () => {
          tool.port.mode = to
        }),
      )
      return caack(0)
    },
  }
}

function processJobs(tool: LotTool): Answers {
  const { make } = tool.settings
  const ack = (...errors: AbstractSecs2Item[]) => acknowledged(make === 0, errors)

  /** A new job, or why it is none: L6 of S16F15, which S16F11 has behind its DATAID. */
  const create = ([id, format, material, recipe, auto]: readonly Item[]): Job | AbstractSecs2Item => {
    const name = textOf(id)
    if (name === '' || tool.jobs.has(name)) return error(11, `${name} is in use`)
    if (numberOf(format) !== 13) return error(14, 'Only carriers have jobs')
    const [method, spec, parameters] = itemsOf(recipe)
    if (!RECIPES.some((known) => known === textOf(spec))) return error(21, `Recipe ${textOf(spec)} unknown`)
    const [carrier, slots] = itemsOf(itemsOf(material)[0])
    if (textOf(carrier) === '') return error(13, 'Material required')
    const chosen = itemsOf(slots).map(numberOf)
    const all = Array.from({ length: 25 }, (_, index) => index + 1)
    return {
      ...{
        id: name,
        state: 0,
        recipe: textOf(spec),
        parameters: itemsOf(parameters),
        method: numberOf(method),
      },
      ...{
        carrier: textOf(carrier),
        slots: chosen.length > 0 ? chosen : all,
        auto: isTrue(auto),
        started: false,
      },
    }
  }
  const add = (made: readonly (Job | AbstractSecs2Item)[]) => {
    const jobs = made.filter((one): one is Job => 'recipe' in one)
    for (const job of jobs) tool.jobs.set(job.id, job)
    tool.soon(async () => {
      for (const job of jobs) await tool.setJob('job 1', job, 0)
      tool.work()
    })
    return { jobs, errors: made.filter((one): one is AbstractSecs2Item => !('recipe' in one)) }
  }

  const command = (job: Job, word: string): (() => Promise<void>) | undefined => {
    const started = async () => {
      job.started = true
    }
    const controls = () => [...tool.controls.values()].filter(({ jobs }) => jobs.includes(job.id))
    switch (word) {
      case 'START':
      case 'STARTPROCESS':
        return job.state <= 2 && !job.auto ? started : undefined
      case 'PAUSE':
        return job.state === 3 ? () => tool.setJob('job 8', job, 6) : undefined
      case 'RESUME':
        return job.state === 7 ? () => tool.setJob('job 10', job, 3) : undefined
      case 'STOP':
        return [2, 3, 6, 7].includes(job.state)
          ? async () => {
              for (const control of controls()) control.end = 'control 11'
              await tool.setJob('job 11', job, 8)
            }
          : undefined
      case 'CANCEL':
        return job.state === 0
          ? () => {
              tool.jobs.delete(job.id)
              return tool.change('job 18', () => {}, { job })
            }
          : undefined
      default:
        return undefined
    }
  }

  return {
    ...(make === 0
      ? {
          S16F15: (body) => {
            const { jobs, errors } = add(itemsOf(itemsOf(body)[1]).map((one) => create(itemsOf(one))))
            return L(L(...jobs.map(({ id }) => A(id))), ack(...errors))
          },
        }
      : {
          S16F11: (body) => {
            const given = itemsOf(body).slice(1)
            const { errors } = add([create(given)])
            return L(A(textOf(given[0])), ack(...errors))
          },
        }),
    S16F5: (body) => {
      const [, id, word] = itemsOf(body)
      const job = tool.jobs.get(textOf(id))
      const name = A(textOf(id))
      if (!job) return L(name, ack(error(3, `ProcessJob ${textOf(id)} not found`)))
      const done = command(job, textOf(word).toUpperCase())
      if (!done) return L(name, ack(error(17, `${textOf(word)} is not possible now`)))
      tool.soon(async () => {
        await done()
        tool.work()
      })
      return L(name, ack())
    },
    S16F17: (body) => {
      const asked = itemsOf(body).map(textOf)
      const gone = (asked.length > 0 ? asked : [...tool.jobs.keys()]).filter(
        (id) => tool.jobs.get(id)?.state === 0,
      )
      const kept = asked.filter((id) => !gone.includes(id))
      for (const id of gone) {
        const job = tool.jobs.get(id)
        tool.jobs.delete(id)
        if (job) tool.soon(() => tool.change('job 18', () => {}, { job }))
      }
      return L(
        L(...gone.map((id) => A(id))),
        ack(...kept.map((id) => error(tool.jobs.has(id) ? 17 : 3, `${id} is not queued`))),
      )
    },
    S16F19: () => L(...[...tool.jobs.values()].map((job) => L(A(job.id), U1(tool.jobState(job))))),
    S16F21: () => (make === 0 ? U2(24 - tool.jobs.size) : bytes(8 - tool.jobs.size)),
  }
}

function controlJobs(tool: LotTool): Answers {
  const { make } = tool.settings
  const created = (specifier: Item, given: Item, ...errors: AbstractSecs2Item[]) =>
    L(specifier ?? A(''), L(...itemsOf(given)), L(U1(errors.length > 0 ? 1 : 0), L(...errors)))

  const refusal = (specifier: string, type: string, given: ReadonlyMap<string, Item>): Item => {
    if (specifier !== (make === 0 ? 'Equipment' : 'ControlJob'))
      return error(1, `Object specifier ${specifier} unknown`)
    if (type.toUpperCase() !== 'CONTROLJOB') return error(2, `Type ${type} unknown`)
    if (tool.controls.has(textOf(given.get('OBJID')))) return error(11, 'ObjID is in use')
    if (itemsOf(given.get('PROCESSINGCTRLSPEC')).length === 0) return error(13, 'ProcessingCtrlSpec required')
    if (itemsOf(given.get('MTRLOUTSPEC')).length > 0) return error(14, 'MtrlOutSpec not supported')
    return undefined
  }

  const command = (control: ControlJob, number: number): (() => Promise<void>) | undefined => {
    const jobs = () => control.jobs.flatMap((id) => tool.jobs.get(id) ?? [])
    if (number === 1 && control.state === 2)
      return async () => {
        control.started = true
      }
    if (number === 4 && control.state === 0)
      return async () => {
        tool.controls.delete(control.id)
      }
    if (number === 6 && control.state > 1 && control.state < 5)
      return async () => {
        control.end = 'control 11'
        for (const job of jobs().filter((one) => !isOver(one))) {
          if (job.state === 0) tool.jobs.delete(job.id)
          else await tool.setJob('job 11', job, 8)
        }
        if (control.state === 2) control.started = true
      }
    return undefined
  }

  return {
    S14F9: (body) => {
      const [specifier, type, list] = itemsOf(body)
      const given = pairsOf(list)
      const wrong = refusal(textOf(specifier), textOf(type), given)
      if (wrong) return created(specifier, undefined, wrong)
      const jobs = itemsOf(given.get('PROCESSINGCTRLSPEC')).map((one) => textOf(itemsOf(one)[0] ?? one))
      const missing = jobs.find((id) => !tool.jobs.has(id))
      if (missing !== undefined)
        return created(specifier, undefined, error(3, `ProcessJob ${missing} not found`))
      const named = itemsOf(given.get('CARRIERINPUTSPEC')).map(textOf)
      const control: ControlJob = {
        ...{ id: textOf(given.get('OBJID')), state: 0, jobs, started: false, end: 'control 10' },
        carriers: named.length > 0 ? named : jobs.map((id) => tool.jobs.get(id)?.carrier ?? ''),
        auto: isTrue(given.get('STARTMETHOD') ?? BOOLEAN(false)),
        order: numberOf(given.get('PROCESSORDERMGMT') ?? U1(1)),
      }
      tool.controls.set(control.id, control)
      tool.soon(async () => {
        await tool.setControl('control 1', control, 0)
        tool.work()
      })
      return created(specifier, list)
    },
    S16F27: (body) => {
      const [id, number] = itemsOf(body)
      const control = tool.controls.get(textOf(id))
      const failed = (wrong: AbstractSecs2Item) => L(make === 0 ? BOOLEAN(false) : U1(0), wrong)
      if (!control) return failed(error(3, `ControlJob ${textOf(id)} not found`))
      const done = command(control, numberOf(number))
      if (!done) return failed(error(17, 'Not possible in this state'))
      tool.soon(async () => {
        await done()
        tool.work()
      })
      return L(make === 0 ? BOOLEAN(true) : U1(1), L())
    },
  }
}
