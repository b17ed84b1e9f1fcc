import { primary, secondary } from '../message-row.js'

const CONTAINER = '<L <TCID> <L RESULTS... <L <UID> <GETRSPSTAT> <STATUSTXT>>>>'
const MAP = '<L MAP... <L <PDEREF> <RESOLUTION>>>'

/** Stream 19: recipes and parameters as process definition elements (PDE) (SEMI E139). */
export const STREAM_19 = [
  primary(19, 1, 'Get PDE Directory', 'both', 'required', {
    structure:
      '<L <L FILTERS... <L <PDEATTRIBUTENAME> <COMPARISONOPERATOR> <PDEATTRIBUTEVALUE>>> <L <PDEATTRIBUTE>...>>',
    source: 'hume',
  }),
  secondary(19, 2, 'PDE Directory Data', 'both', {
    structure:
      '<L <DIRRSPSTAT> <STATUSTXT> <L ELEMENTS... <L <UID> <L ATTRIBUTES... <L <PDEATTRIBUTE> <PDEATTRIBUTEVALUE>>>>>>',
    source: 'hume',
  }),
  primary(19, 3, 'PDE Delete Request', 'host', 'required', { structure: '<L <UID>...>', source: 'hume' }),
  secondary(19, 4, 'PDE Delete Acknowledge', 'equipment', {
    structure: '<L RESULTS... <L <UID> <DELRSPSTAT> <STATUSTXT>>>',
    source: 'hume',
  }),
  primary(19, 5, 'PDE Header Data Request', 'both', 'required', {
    structure: '<L <UID>...>',
    source: 'hume',
  }),
  secondary(19, 6, 'PDE Header Data Reply', 'both', { structure: CONTAINER, source: 'hume' }),
  primary(19, 7, 'PDE Transfer Request', 'both', 'required', { structure: '<L <UID>...>', source: 'hume' }),
  secondary(19, 8, 'PDE Transfer Reply', 'both', { structure: CONTAINER, source: 'hume' }),
  primary(19, 9, 'Request to Send PDE', 'both', 'required', {
    structure: '<L <TCID> <TRANSFERSIZE>>',
    source: 'hume',
  }),
  secondary(19, 10, 'Initiate PDE Transfer Reply', 'both', {
    structure: '<L <TCID> <RTSRSPSTAT> <STATUSTXT>>',
    source: 'hume',
  }),
  primary(19, 11, 'Send PDE', 'both', 'required', { structure: '<TCID>', source: 'hume' }),
  secondary(19, 12, 'Send PDE Acknowledge', 'both', { structure: '', source: 'hume' }),
  primary(19, 13, 'Transfer Container Report', 'both', 'required', {
    structure: '<L RESULTS... <L <UID> <SENDRSPSTAT> <VERIFYRSPSTAT> <STATUSTXT>>>',
    source: 'hume',
  }),
  secondary(19, 14, 'Transfer Container Report Acknowledge', 'both', { structure: '', source: 'hume' }),
  primary(19, 15, 'Request PDE Resolution', 'host', 'required', {
    structure: `<L <TARGETPDE> ${MAP}>`,
    source: 'hume',
  }),
  secondary(19, 16, 'PDE Resolution Data', 'equipment', {
    structure: `<L ${MAP} <L RESULTS... <L <UID> <RESPDESTAT> <STATUSTXT>>>>`,
    source: 'hume',
  }),
  primary(19, 17, 'Verify PDE Request', 'host', 'required', {
    structure: `<L <TARGETPDE> ${MAP} <VERIFYTYPE> <VERIFYDEPTH>>`,
    source: 'hume',
  }),
  secondary(19, 18, 'PDE Verification Result', 'equipment', {
    structure: '<L <VERIFYSUCCESS> <L RESULTS... <L <UID> <VERIFYRSPSTAT> <STATUSTXT>>>>',
    source: 'hume',
  }),
  primary(19, 19, 'Multi-block Inquire', 'both', 'required', { structure: '<DATALENGTH>', source: 'hume' }),
  secondary(19, 20, 'Multi-block Grant', 'both', { structure: '<GRANT>', source: 'hume' }),
] as const
