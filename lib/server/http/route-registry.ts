import type { RouteFacts } from "./define-route.ts";
import { openApiDocument } from "./openapi.ts";
import {
  acceptInvitationRoute,
  changePasswordRoute,
  changePersonRoute,
  endSessionRoute,
  listAuditRoute,
  listInvitationsRoute,
  listPeopleRoute,
  listSessionsRoute,
  makeInvitationRoute,
  revokeInvitationRoute,
  signInRoute,
  signOutEverywhereRoute,
  signOutRoute,
} from "./routes/accounts.ts";
import {
  createAnnotationRoute,
  deleteAnnotationRoute,
  exportAnnotationsRoute,
  getAnnotationHistoryRoute,
  getAnnotationRoute,
  getFollowUpsRoute,
  importAnnotationsRoute,
  listAnnotationTagsRoute,
  listAnnotationsRoute,
  listExperimentsRoute,
  updateAnnotationRoute,
} from "./routes/annotations.ts";
import { compareCohortsRoute } from "./routes/cohorts.ts";
import { exportInvestigationRoute, importInvestigationRoute } from "./routes/exports.ts";
import { listFindingsRoute, listNodeFindingsRoute, updateFindingRoute } from "./routes/findings.ts";
import { rankFleetRoute } from "./routes/fleet.ts";
import { compareRoute } from "./routes/compare.ts";
import { createGrafanaAnnotationRoute, listGrafanaAnnotationsRoute } from "./routes/grafana.ts";
import { changeImportRoute, listImportsRoute, startImportRoute } from "./routes/imports.ts";
import { livezRoute, readyzRoute } from "./routes/health.ts";
import { inspectRoute } from "./routes/inspect.ts";
import {
  addHypothesisRoute,
  addLogEntryRoute,
  addPinRoute,
  changeHypothesisRoute,
  changeLogEntryRoute,
  changePinRoute,
  createInvestigationRoute,
  deleteInvestigationRoute,
  getInvestigationHistoryRoute,
  getInvestigationRoute,
  listInvestigationsRoute,
  listLogEntriesRoute,
  removeHypothesisRoute,
  removeLogEntryRoute,
  removePinRoute,
  updateInvestigationRoute,
} from "./routes/investigations.ts";
import { metricsRoute } from "./routes/metrics.ts";
import {
  getCompositionRoute,
  getCorrelationRoute,
  getDecompositionRoute,
  getDirectoryGrowthRoute,
  getEffectRoute,
  getNodeRoute,
  getSeriesRoute,
  listCreatorsRoute,
  getSlabRoute,
  getSlabGrowthRoute,
  getSnapshotRoute,
  getTrendRoute,
  listChangePointsRoute,
  listEffectsRoute,
  listForecastsRoute,
  listMetricsRoute,
  listNodesRoute,
} from "./routes/nodes.ts";
import { remoteWriteRoute } from "./routes/prometheus.ts";
import {
  createShareRoute,
  listSharesRoute,
  replaceShareRoute,
  revokeShareRoute,
  unlockShareRoute,
} from "./routes/shares.ts";
import { ingestRawRoute, ingestRoute, keepPastedRoute } from "./routes/snapshots.ts";
import { issueTokenRoute, listTokensRoute, revokeTokenRoute } from "./routes/tokens.ts";

/** Every route but the one that serves the document, in the order of the page. A test finds one that is missing. */
export const ROUTES: readonly RouteFacts[] = [
  ingestRoute,
  ingestRawRoute,
  inspectRoute,
  keepPastedRoute,
  remoteWriteRoute,
  listNodesRoute,
  rankFleetRoute,
  getNodeRoute,
  getCompositionRoute,
  getSeriesRoute,
  listCreatorsRoute,
  getSlabRoute,
  getSlabGrowthRoute,
  getSnapshotRoute,
  getTrendRoute,
  getCorrelationRoute,
  listForecastsRoute,
  listChangePointsRoute,
  getDecompositionRoute,
  getDirectoryGrowthRoute,
  listEffectsRoute,
  getEffectRoute,
  listNodeFindingsRoute,
  listFindingsRoute,
  updateFindingRoute,
  compareCohortsRoute,
  compareRoute,
  listMetricsRoute,
  listAnnotationsRoute,
  createAnnotationRoute,
  getAnnotationRoute,
  updateAnnotationRoute,
  deleteAnnotationRoute,
  getAnnotationHistoryRoute,
  listAnnotationTagsRoute,
  exportAnnotationsRoute,
  importAnnotationsRoute,
  createGrafanaAnnotationRoute,
  listGrafanaAnnotationsRoute,
  getFollowUpsRoute,
  listExperimentsRoute,
  listInvestigationsRoute,
  createInvestigationRoute,
  getInvestigationRoute,
  updateInvestigationRoute,
  deleteInvestigationRoute,
  getInvestigationHistoryRoute,
  exportInvestigationRoute,
  importInvestigationRoute,
  addPinRoute,
  changePinRoute,
  removePinRoute,
  addHypothesisRoute,
  changeHypothesisRoute,
  removeHypothesisRoute,
  listLogEntriesRoute,
  addLogEntryRoute,
  changeLogEntryRoute,
  removeLogEntryRoute,
  listSharesRoute,
  createShareRoute,
  replaceShareRoute,
  revokeShareRoute,
  unlockShareRoute,
  listImportsRoute,
  startImportRoute,
  changeImportRoute,
  listTokensRoute,
  issueTokenRoute,
  revokeTokenRoute,
  signInRoute,
  signOutRoute,
  listSessionsRoute,
  signOutEverywhereRoute,
  endSessionRoute,
  changePasswordRoute,
  listPeopleRoute,
  changePersonRoute,
  listInvitationsRoute,
  makeInvitationRoute,
  revokeInvitationRoute,
  acceptInvitationRoute,
  listAuditRoute,
  livezRoute,
  readyzRoute,
  metricsRoute,
].map(({ facts }) => facts);

let document: ReturnType<typeof openApiDocument> | undefined;

/** The document of all routes; made once, since a program's routes do not change. */
export function apiDocument(more: readonly RouteFacts[] = []): ReturnType<typeof openApiDocument> {
  return (document ??= openApiDocument([...ROUTES, ...more]));
}
