"""Clouds and infrastructure as code: what deletes, destroys, or changes without a look."""

from holdpoint.core.risk.shell.effects import CRITICAL, HIGH, LOW, MEDIUM, each, on, tool

TERRAFORM = tool(
    *each("destroy,apply -destroy", "", CRITICAL, "infra-destroy", "destroys infrastructure"),
    on("apply", "-destroy --destroy", CRITICAL, "infra-destroy", "destroys infrastructure"),
    on("apply", "-auto-approve --auto-approve -replace", HIGH, "infra-apply",
       "changes infrastructure without showing a plan"),
    on("apply", "", MEDIUM, "infra-apply", "changes infrastructure"),
    *each("state rm,workspace delete,force-unlock,state push,taint", "", HIGH, "infra-state",
          "changes what is known of the infrastructure"),
    on("run-all apply", "--terragrunt-non-interactive --non-interactive", HIGH, "infra-apply",
       "changes infrastructure without showing a plan"),
    *each("destroy-all,run-all destroy,run destroy,stack run destroy", "",
          CRITICAL, "infra-destroy", "destroys infrastructure"),
    values="-chdir -target -var -var-file",
)  # fmt: skip


PULUMI = tool(
    *each("destroy,down,dn", "", CRITICAL, "infra-destroy", "destroys infrastructure"),
    on("stack rm", "", CRITICAL, "infra-destroy", "forgets a stack and its state"),
    on("state delete", "", MEDIUM, "infra-state", "changes what is known of the infrastructure"),
    *each("up,update", "-y --yes -f", HIGH, "infra-apply", "changes infrastructure without a look"),
    *each("cancel,refresh,up,update", "", MEDIUM, "infra-apply", "changes infrastructure"),
    values="-s -C --stack --cwd --target -t -c",
    verbs=True,
)


AWS = tool(
    *each("s3 rb,s3 rm", "", HIGH, "s3-delete", "deletes what is stored"),
    *each("s3 sync,s3 mv", "--delete", HIGH, "s3-delete", "deletes what the source lacks"),
    *each("s3api delete-objects,s3api delete-bucket", "", CRITICAL, "s3-delete",
        "deletes what is stored"),
    *each("s3api put-bucket-policy,s3api put-bucket-acl,s3api put-public-access-block,"
          "iam put-user-policy,iam put-role-policy,iam attach-user-policy,iam attach-role-policy",
          "", MEDIUM, "cloud-policy", "changes who may do what"),
    *each("s3api put-bucket-lifecycle-configuration,s3api put-bucket-versioning", "", MEDIUM,
          "storage-kept", "changes how long things are kept"),
    *each("s3api delete-object,iam delete-access-key,sqs delete-message,ses delete-receipt-rule,"
          "accessanalyzer delete-archive-rule", "", MEDIUM, "cloud-delete", "deletes one thing"),
    *each("cloudtrail stop-logging,config stop-configuration-recorder,"
          "dynamodb batch-write-item,ec2 cancel-spot-fleet-requests", "", HIGH, "cloud-stop",
          "stops what watches or what runs"),
    on("s3 mv", "--recursive", HIGH, "s3-delete", "deletes what it has copied"),
    *each("ses send-bulk-templated-email,ses send-bulk-email,sesv2 send-bulk-email", "", HIGH,
          "many-letters", "writes to many people"),
    on("sns publish", "--topic-arn --target-arn", HIGH, "many-letters", "writes to many people"),
    on("iam create-access-key", "", MEDIUM, "cloud-policy", "gives somebody a key"),
    on("route53 change-resource-record-sets", "", HIGH, "dns-change",
       "changes where a domain leads"),
    *each("ec2 release-address,organizations close-account,organizations leave-organization", "",
          HIGH, "cloud-close", "gives something up for good"),
    *each("ec2 stop-instances,ec2 reboot-instances,rds stop-db-instance,ssm terminate-session", "",
          MEDIUM, "cloud-stop", "stops machines"),
    *each("kms schedule-key-deletion,kms disable-key", "", CRITICAL, "key-delete",
          "makes encrypted data unreadable"),
    *each("ec2 modify-instance-attribute,rds modify-db-instance,rds failover-db-cluster", "",
        MEDIUM,
          "cloud-change", "changes what runs"),
    *each("ecs update-service", "--desired-count", MEDIUM, "cloud-change", "changes what runs"),
    values="--profile --region --output --endpoint-url --query --desired-count --instance-ids",
    dry="--dry-run --dryrun --generate-cli-skeleton", undry="--no-dry-run", verbs=True,
)  # fmt: skip


GCLOUD = tool(
    *each("sql backups restore,sql instances restore-backup", "", HIGH, "restore-over",
          "overwrites a database"),
    *each("compute instances stop,compute instances suspend,sql instances restart", "", MEDIUM,
          "cloud-stop", "stops machines"),
    on("iam service-accounts keys create", "", MEDIUM, "cloud-policy", "gives somebody a key"),
    *each("dns record-sets update,dns record-sets transaction execute,dns record-sets import", "",
          HIGH, "dns-change", "changes where a domain leads"),
    on("pubsub subscriptions seek", "", HIGH, "queue-reset", "throws messages away"),
    *each("firestore import,spanner databases restore", "", HIGH, "restore-over",
          "overwrites a database"),
    on("storage rsync", "--delete-unmatched-destination-objects", HIGH, "storage-delete",
       "deletes what the source lacks", "-n --dry-run"),
    on("storage rsync", "", LOW, "storage", ""),
    on("config unset", "", LOW, "settings", ""),
    values="--project --region --zone --format --filter --account --configuration", verbs=True,
)  # fmt: skip


AZ = tool(
    *each("vm deallocate,vm stop,vm restart,vmss deallocate,vmss stop,webapp stop,"
          "functionapp stop,aks stop,container stop,containerapp stop,postgres server stop,"
          "mysql flexible-server stop,postgres flexible-server stop", "", MEDIUM, "cloud-stop",
          "stops machines"),
    on("ad app permission admin-consent", "", HIGH, "cloud-policy",
       "gives a program all that it asks for, for everybody"),
    verbs=True,
)  # fmt: skip


GSUTIL = tool(
    *each("rm,rb", "", HIGH, "storage-delete", "deletes what is stored"),
    on("rsync", "-d", HIGH, "storage-delete", "deletes what the source lacks"),
    *each(
        "iam set,acl set",
        "",
        MEDIUM,
        "cloud-policy",
        "changes who may do what",
    ),
    *each(
        "lifecycle set,versioning set",
        "",
        MEDIUM,
        "storage-kept",
        "changes how long things are kept",
    ),
    values="-h -o -u",
    dry="-n",
)


RCLONE = tool(
    on("link", "", HIGH, "made-public", "shows it to whoever has the link", "--unlink"),
    *each(
        "delete,deletefile,purge,rmdir,rmdirs,cleanup,sync,move,moveto,dedupe",
        "",
        HIGH,
        "storage-delete",
        "deletes what is stored",
    ),
    values="--config --include --exclude --filter",
    dry="--dry-run -n",
)
