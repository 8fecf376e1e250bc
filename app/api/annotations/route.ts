export {
  createGrafanaAnnotationRoute as POST,
  listGrafanaAnnotationsRoute as GET,
} from "#lib/server/http/routes/grafana.ts";
