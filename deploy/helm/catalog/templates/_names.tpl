{{- define "catalog.name" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "catalog.serviceAccount" -}}
{{ .Values.serviceAccount.create | ternary (include "catalog.name" .) .Values.serviceAccount.name }}
{{- end -}}

{{- define "catalog.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "catalog.labels" -}}
{{ include "catalog.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "catalog.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}

{{- define "catalog.container" -}}
image: {{ include "catalog.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* Deployment or StatefulSet, by where clones are kept. */}}
{{- define "catalog.kind" -}}
{{ ternary "StatefulSet" "Deployment" .Values.cache.persistent }}
{{- end -}}

{{/* Scheme of both listeners: they use the certificate in settings.tls. */}}
{{- define "catalog.scheme" -}}
{{ empty (get (default dict .Values.settings.tls) "cert") | ternary "http" "https" }}
{{- end -}}

{{- define "catalog.env" -}}
env:
  - { name: CATALOG_CONFIG_FILE, value: /etc/catalog/registry.yaml }
  {{- with .Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "catalog.pod" -}}
# A Service named catalog-audit would set CATALOG_AUDIT_SERVICE_HOST, which the registry refuses.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "catalog.settings" -}}
registry.yaml: |
  registry:
    {{- toYaml .Values.settings | nindent 4 }}
    {{- if .Values.allowPublicBind }}
    allow_public_bind: true
    open_writes: {{ .Values.openWrites }}
    {{- end }}
{{- end -}}
