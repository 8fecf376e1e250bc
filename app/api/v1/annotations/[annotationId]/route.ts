export {
  deleteAnnotationRoute as DELETE,
  getAnnotationRoute as GET,
  updateAnnotationRoute as PATCH,
} from "#lib/server/http/routes/annotations.ts";
