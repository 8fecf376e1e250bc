-- The history of marks: who changed what, and how it stood before. An ordinary table, which stays on the coordinator.

CREATE TABLE "AnnotationRevision" (
    "id" SERIAL NOT NULL,
    "annotationId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "before" JSONB,

    CONSTRAINT "AnnotationRevision_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "AnnotationRevision_annotationId_idx" ON "AnnotationRevision"("annotationId");

ALTER TABLE "AnnotationRevision" ADD CONSTRAINT "AnnotationRevision_annotationId_fkey" FOREIGN KEY ("annotationId") REFERENCES "Annotation"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
